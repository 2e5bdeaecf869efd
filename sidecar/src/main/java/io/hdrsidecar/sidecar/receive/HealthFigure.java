package io.hdrsidecar.sidecar.receive;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The figures a client may report in HEALTH. The list is closed: type and meaning of a metric are
 * the same for all clients, so one that sends other figures changes nothing for the rest.
 *
 * <p>In HEALTH a figure has the name of its constant in lower case, and {@code _total} behind it if
 * it is a counter: {@code pending_intervals}, {@code sent_intervals_total}.
 */
public enum HealthFigure {
  /** When the client started, in seconds since the epoch; from then its counters count. */
  START_TIME_SECONDS(false, "When the client started, in seconds since the epoch."),
  /** Series sampled. */
  SERIES(false, "Series the client samples."),
  /** Waiting to be sent. */
  PENDING_INTERVALS(false, "Intervals waiting to be sent."),
  /** Sent and not acknowledged. */
  IN_FLIGHT_INTERVALS(false, "Intervals sent and not yet acknowledged."),
  /** Taken from the recorders. */
  HARVESTED_VALUES(true, "Values taken from the recorders."),
  /** Sent, each counted once. */
  SENT_INTERVALS(true, "Intervals sent, each counted once."),
  /** Acknowledged. */
  ACKNOWLEDGED_INTERVALS(true, "Intervals acknowledged."),
  /** In intervals acknowledged. */
  ACKNOWLEDGED_VALUES(true, "Values in the intervals acknowledged."),
  /** Sent again after a reconnect. */
  RESENT_INTERVALS(true, "Intervals sent again after a reconnect."),
  /** Added to a pending one. */
  JOINED_INTERVALS(true, "Intervals added to a pending one of the same series."),
  /** Connections after the first. */
  RECONNECTS(true, "Connections after the first."),
  /** Lost, for whatever reason. */
  LOST_VALUES(true, "Values that will not be delivered, for whatever reason."),
  /** Negative, recorded as 0. */
  CLAMPED_NEGATIVE(true, "Negative values, recorded as 0."),
  /** Above the range, recorded as its end. */
  CLAMPED_TOO_LARGE(true, "Values above the range of their recorder, recorded as its end."),
  /** Turns of the client thread that failed. */
  LOOP_FAILURES(true, "Turns of the client's thread that failed."),
  /** Lookups beyond the client's limit of series. */
  OVERFLOWED_LOOKUPS(true, "Lookups of series above the client's limit."),
  /** Left in a spill folder by an earlier client, and delivered by this one. */
  RECOVERED_INTERVALS(
      true, "Intervals of earlier clients, found in the spill folder and delivered."),
  /** In those intervals. */
  RECOVERED_VALUES(true, "Values in the intervals of earlier clients that were delivered."),
  /** Thrown away as warm-up. */
  DISCARDED_VALUES(true, "Values discarded as warm-up."),
  /** Not recorded because of a limit. */
  LOST_BACK_FILL_VALUES(true, "Back-filled values not recorded because of a limit.");

  private static final Map<String, HealthFigure> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(HealthFigure::figure, Function.identity()));

  private final boolean isCounter;
  private final String help;

  HealthFigure(boolean isCounter, String help) {
    this.isCounter = isCounter;
    this.help = help;
  }

  /** Whether this is a name of HEALTH that is known. */
  static boolean isKnown(String figure) {
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
