package io.hdrsidecar.internal.send;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the sending thread counted, as of the end of its last turn. Immutable.
 *
 * @param connected whether a connection stands and is welcomed
 * @param series series sampled
 * @param pendingIntervals intervals waiting to be sent
 * @param pendingValues values in them
 * @param inFlightIntervals intervals encoded and not acknowledged
 * @param inFlightValues values in them
 * @param harvestedValues values taken from recorders
 * @param sentIntervals intervals sent, each counted once
 * @param acknowledgedIntervals intervals acknowledged
 * @param acknowledgedValues values in them
 * @param resentIntervals intervals sent again after a reconnect
 * @param joinedIntervals intervals added to one that still waited
 * @param reconnects connections welcomed after the first
 * @param lostValues values refused for good, or never counted for want of memory, by reason
 * @param clampedNegative negative values recorded
 * @param clampedTooLarge values recorded above the highest trackable one
 * @param loopFailures unexpected failures the loop survived
 * @param spilled what was written to the spill folder at the end
 * @param recoveredIntervals intervals of earlier clients, found there and settled
 * @param recoveredValues values in them
 * @param leftIntervals intervals that a close has left to the spill folder, written or not
 * @param leftValues values in them
 */
public record SendFigures(
    boolean connected,
    long series,
    long pendingIntervals,
    long pendingValues,
    long inFlightIntervals,
    long inFlightValues,
    long harvestedValues,
    long sentIntervals,
    long acknowledgedIntervals,
    long acknowledgedValues,
    long resentIntervals,
    long joinedIntervals,
    long reconnects,
    Map<String, Long> lostValues,
    long clampedNegative,
    long clampedTooLarge,
    long loopFailures,
    Spilled spilled,
    long recoveredIntervals,
    long recoveredValues,
    long leftIntervals,
    long leftValues) {

  static final SendFigures NONE =
      new SendFigures(
          false,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          Map.of(),
          0,
          0,
          0,
          Spilled.NOTHING,
          0,
          0,
          0,
          0);

  /** Intervals here whose delivery is not certain. */
  long waitingIntervals() {
    return pendingIntervals + inFlightIntervals;
  }

  /** Values here whose delivery is not certain. */
  long waitingValues() {
    return pendingValues + inFlightValues;
  }

  /** Intervals whose delivery is not certain, also those left to the spill folder. */
  public long undeliveredIntervals() {
    return waitingIntervals() + leftIntervals;
  }

  /** Values whose delivery is not certain, also those left to the spill folder. */
  public long undeliveredValues() {
    return waitingValues() + leftValues;
  }

  /** As they travel in HEALTH: counters end in {@code _total}. */
  Map<String, Long> asHealth() {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("series", series);
    figures.put("pending_intervals", pendingIntervals);
    figures.put("in_flight_intervals", inFlightIntervals);
    figures.put("harvested_values_total", harvestedValues);
    figures.put("sent_intervals_total", sentIntervals);
    figures.put("acknowledged_intervals_total", acknowledgedIntervals);
    figures.put("acknowledged_values_total", acknowledgedValues);
    figures.put("resent_intervals_total", resentIntervals);
    figures.put("joined_intervals_total", joinedIntervals);
    figures.put("reconnects_total", reconnects);
    figures.put("lost_values_total", lostValues.values().stream().mapToLong(Long::longValue).sum());
    figures.put("clamped_negative_total", clampedNegative);
    figures.put("clamped_too_large_total", clampedTooLarge);
    figures.put("loop_failures_total", loopFailures);
    figures.put("recovered_intervals_total", recoveredIntervals);
    figures.put("recovered_values_total", recoveredValues);
    return figures;
  }
}
