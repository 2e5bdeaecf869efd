package io.hdrsidecar.internal.wire;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The figures a client reports of itself in HEALTH. The list is closed: type and meaning of a
 * metric are the same for all clients, so one that sends other figures changes nothing for the
 * rest.
 *
 * <p>In HEALTH a figure has the name of its constant in lower case, and {@code _total} behind it if
 * it is a counter: {@code pending_intervals}, {@code sent_intervals_total}.
 */
public enum ClientFigure {
  START_TIME_SECONDS(false, "When the client started, in seconds since the epoch."),
  SERIES(false, "Series the client samples."),
  PENDING_INTERVALS(false, "Intervals waiting to be sent."),
  IN_FLIGHT_INTERVALS(false, "Intervals sent and not yet acknowledged."),
  HARVESTED_VALUES(true, "Values taken from the recorders."),
  SENT_INTERVALS(true, "Intervals sent, each counted once."),
  ACKNOWLEDGED_INTERVALS(true, "Intervals acknowledged."),
  ACKNOWLEDGED_VALUES(true, "Values in the intervals acknowledged."),
  RESENT_INTERVALS(true, "Intervals sent again after a reconnect."),
  JOINED_INTERVALS(true, "Intervals added to a pending one of the same series."),
  RECONNECTS(true, "Connections after the first."),
  LOST_VALUES(true, "Values that will not be delivered, for whatever reason."),
  CLAMPED_NEGATIVE(true, "Negative values, recorded as 0."),
  CLAMPED_TOO_LARGE(true, "Values above the range of their recorder, recorded as its end."),
  LOOP_FAILURES(true, "Turns of the client's thread that failed."),
  OVERFLOWED_LOOKUPS(true, "Lookups of series above the client's limit."),
  RECOVERED_INTERVALS(
      true, "Intervals of earlier clients, found in the spill folder and delivered."),
  RECOVERED_VALUES(true, "Values in the intervals of earlier clients that were delivered."),
  DISCARDED_VALUES(true, "Values discarded as warm-up."),
  LOST_BACK_FILL_VALUES(true, "Back-filled values not recorded because of a limit."),
  UNPROTECTED_VALUES(true, "Values for which the crash file had no room, recorded on the heap.");

  private static final Map<String, ClientFigure> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(ClientFigure::figure, Function.identity()));

  private final boolean isCounter;
  private final String help;

  ClientFigure(boolean isCounter, String help) {
    this.isCounter = isCounter;
    this.help = help;
  }

  /** Whether this is a name of HEALTH that is known. */
  public static boolean isKnown(String figure) {
    return BY_NAME.containsKey(figure);
  }

  /** The name in HEALTH. */
  public String figure() {
    return stem() + (isCounter ? "_total" : "");
  }

  /** The name without {@code _total}. */
  public String stem() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it only grows, from 0 at the client's start. */
  public boolean isCounter() {
    return isCounter;
  }

  /** What it says. */
  public String help() {
    return help;
  }
}
