package io.hdrsidecar.fleet;

import io.hdrsidecar.sidecar.EntryPoint;

/**
 * What {@code java -jar} starts: {@link FleetMain}, or on a Java that is too old one line that says
 * so. Compiled for Java 8, as {@link EntryPoint} is, and for the same reason.
 */
public final class FleetEntryPoint {
  private FleetEntryPoint() {}

  /** As {@link FleetMain#main}; exits with 2 when Java is too old. */
  public static void main(String[] args) {
    EntryPoint.endIfTooOld("hdr-sidecar-fleet");
    FleetMain.main(args);
  }
}
