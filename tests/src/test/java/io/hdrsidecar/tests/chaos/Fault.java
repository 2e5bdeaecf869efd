package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.tests.chaos.FaultKind.Target;
import java.util.Locale;

/**
 * One fault of a schedule.
 *
 * @param kind what is done
 * @param client to which client or its connection, from 0 on; 0 for the sidecar
 * @param atMillis when, from the start of the run; later if its target is still busy with another
 * @param durationMillis how long it lasts
 * @param variant picks among the ways of doing it; 0 or more
 */
record Fault(FaultKind kind, int client, long atMillis, long durationMillis, int variant) {
  /** Faults with the same lane follow each other. */
  String lane() {
    String target = kind.target().name().toLowerCase(Locale.ROOT);
    return kind.target() == Target.SIDECAR ? target : target + " " + client;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%9.3f s  %-9s %-15s %5d ms  variant %d",
        atMillis / 1000.0,
        lane(),
        kind.label(),
        durationMillis,
        variant);
  }
}
