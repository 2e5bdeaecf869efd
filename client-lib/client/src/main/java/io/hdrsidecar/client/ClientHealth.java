package io.hdrsidecar.client;

import io.hdrsidecar.internal.send.SendFigures;
import io.hdrsidecar.internal.wire.ClientFigure;
import java.util.Map;

/**
 * The client's own figures, counted since it was created. The same go to the sidecar, which exposes
 * them as {@code hdr_sidecar_client_*}.
 *
 * <p>At rest, {@code harvestedValues = acknowledgedValues + spilledValues + lost values + values
 * still waiting}.
 *
 * <p>One look at one moment: immutable. Only the client makes them, so that figures can be added in
 * later versions without a change for callers.
 */
public final class ClientHealth {
  private final SendFigures sending;
  private final Map<ClientFigure, Long> recording;

  ClientHealth(SendFigures sending, RecordingTally recording) {
    this.sending = sending;
    this.recording = recording.figures();
  }

  private long of(ClientFigure figure) {
    return recording.getOrDefault(figure, sending.of(figure));
  }

  /** Whether the sidecar has welcomed this client on a connection that still stands. */
  public boolean connected() {
    return sending.connected();
  }

  /** Series sampled. */
  public long series() {
    return of(ClientFigure.SERIES);
  }

  /** Intervals waiting to be sent, at most one per series. */
  public long pendingIntervals() {
    return of(ClientFigure.PENDING_INTERVALS);
  }

  /** Intervals encoded and not acknowledged. */
  public long inFlightIntervals() {
    return of(ClientFigure.IN_FLIGHT_INTERVALS);
  }

  /** Values taken from the recorders into intervals. */
  public long harvestedValues() {
    return of(ClientFigure.HARVESTED_VALUES);
  }

  /** Intervals sent, each counted once. */
  public long sentIntervals() {
    return of(ClientFigure.SENT_INTERVALS);
  }

  /** Intervals the sidecar acknowledged. */
  public long acknowledgedIntervals() {
    return of(ClientFigure.ACKNOWLEDGED_INTERVALS);
  }

  /** Values in the acknowledged intervals. */
  public long acknowledgedValues() {
    return of(ClientFigure.ACKNOWLEDGED_VALUES);
  }

  /** Intervals sent again after a reconnect. */
  public long resentIntervals() {
    return of(ClientFigure.RESENT_INTERVALS);
  }

  /**
   * Intervals added to one of the same series that still waited: time resolution given up, no value
   * lost.
   */
  public long joinedIntervals() {
    return of(ClientFigure.JOINED_INTERVALS);
  }

  /** Connections welcomed after the first. */
  public long reconnects() {
    return of(ClientFigure.RECONNECTS);
  }

  /**
   * Values lost, by reason: refused by the sidecar for good, such as {@code series_limit}, never
   * counted because the heap was full, {@code no_memory}, or not delivered before the end and not
   * written to the spill folder either, {@code spill_failed}; or sent without an answer while
   * somebody else used the id of this client, {@code numbers_taken}. Immutable.
   */
  public Map<String, Long> lostValues() {
    return sending.lostValues();
  }

  /** Negative values counted as 0, up to the last interval. */
  public long clampedNegative() {
    return of(ClientFigure.CLAMPED_NEGATIVE);
  }

  /** Values counted as the highest trackable one, up to the last interval. */
  public long clampedTooLarge() {
    return of(ClientFigure.CLAMPED_TOO_LARGE);
  }

  /** Lookups above the series limit, answered with an overflow recorder. */
  public long overflowedLookups() {
    return of(ClientFigure.OVERFLOWED_LOOKUPS);
  }

  /** Unexpected failures of the sending thread, which went on after each. */
  public long loopFailures() {
    return of(ClientFigure.LOOP_FAILURES);
  }

  /** Values sampled and thrown away, as warm-up; not in {@link #harvestedValues}. */
  public long discardedValues() {
    return of(ClientFigure.DISCARDED_VALUES);
  }

  /**
   * Values that {@link LatencyRecorder#recordWithExpectedInterval} did not add to the corrected
   * series because one value missed more than 4 billion, or more than 1,024 values between two
   * samples missed more than 1,024 each.
   */
  public long lostBackFill() {
    return of(ClientFigure.LOST_BACK_FILL_VALUES);
  }

  /**
   * Values for which the {@linkplain ClientConfig.Builder#crashFolder crash file} had no room. They
   * were recorded and sent as ever; a process that is killed loses those not sent yet.
   */
  public long unprotectedValues() {
    return of(ClientFigure.UNPROTECTED_VALUES);
  }

  /** Intervals written to the spill folder at the end. */
  public long spilledIntervals() {
    return sending.spilled().intervals();
  }

  /** Values in the spilled intervals. */
  public long spilledValues() {
    return sending.spilled().values();
  }

  /** Intervals that earlier clients had left in the spill folder, and the sidecar has now. */
  public long recoveredIntervals() {
    return of(ClientFigure.RECOVERED_INTERVALS);
  }

  /** Values in the recovered intervals. */
  public long recoveredValues() {
    return of(ClientFigure.RECOVERED_VALUES);
  }

  /** All figures with their names, for logs. */
  @Override
  public String toString() {
    return "ClientHealth["
        + String.join(
            ", ",
            "connected=" + connected(),
            "series=" + series(),
            "pendingIntervals=" + pendingIntervals(),
            "inFlightIntervals=" + inFlightIntervals(),
            "harvestedValues=" + harvestedValues(),
            "sentIntervals=" + sentIntervals(),
            "acknowledgedIntervals=" + acknowledgedIntervals(),
            "acknowledgedValues=" + acknowledgedValues(),
            "resentIntervals=" + resentIntervals(),
            "joinedIntervals=" + joinedIntervals(),
            "reconnects=" + reconnects(),
            "lostValues=" + lostValues(),
            "clampedNegative=" + clampedNegative(),
            "clampedTooLarge=" + clampedTooLarge(),
            "overflowedLookups=" + overflowedLookups(),
            "loopFailures=" + loopFailures(),
            "discardedValues=" + discardedValues(),
            "lostBackFill=" + lostBackFill(),
            "unprotectedValues=" + unprotectedValues(),
            "spilledIntervals=" + spilledIntervals(),
            "spilledValues=" + spilledValues(),
            "recoveredIntervals=" + recoveredIntervals(),
            "recoveredValues=" + recoveredValues())
        + "]";
  }
}
