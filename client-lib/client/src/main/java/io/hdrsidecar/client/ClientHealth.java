package io.hdrsidecar.client;

import io.hdrsidecar.internal.send.SendFigures;
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
  private final long overflowedLookups;
  private final long discardedValues;
  private final long lostBackFill;

  ClientHealth(SendFigures sending, RecordingTally recording) {
    this.sending = sending;
    this.overflowedLookups = recording.overflowedLookups().sum();
    this.discardedValues = recording.discardedValues().sum();
    this.lostBackFill = recording.lostBackFill().sum();
  }

  /** Whether the sidecar has welcomed this client on a connection that still stands. */
  public boolean connected() {
    return sending.connected();
  }

  /** Series sampled. */
  public long series() {
    return sending.series();
  }

  /** Intervals waiting to be sent, at most one per series. */
  public long pendingIntervals() {
    return sending.pendingIntervals();
  }

  /** Intervals encoded and not acknowledged. */
  public long inFlightIntervals() {
    return sending.inFlightIntervals();
  }

  /** Values taken from the recorders into intervals. */
  public long harvestedValues() {
    return sending.harvestedValues();
  }

  /** Intervals sent, each counted once. */
  public long sentIntervals() {
    return sending.sentIntervals();
  }

  /** Intervals the sidecar acknowledged. */
  public long acknowledgedIntervals() {
    return sending.acknowledgedIntervals();
  }

  /** Values in the acknowledged intervals. */
  public long acknowledgedValues() {
    return sending.acknowledgedValues();
  }

  /** Intervals sent again after a reconnect. */
  public long resentIntervals() {
    return sending.resentIntervals();
  }

  /**
   * Intervals added to one of the same series that still waited: time resolution given up, no value
   * lost.
   */
  public long joinedIntervals() {
    return sending.joinedIntervals();
  }

  /** Connections welcomed after the first. */
  public long reconnects() {
    return sending.reconnects();
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
    return sending.clampedNegative();
  }

  /** Values counted as the highest trackable one, up to the last interval. */
  public long clampedTooLarge() {
    return sending.clampedTooLarge();
  }

  /** Lookups above the series limit, answered with an overflow recorder. */
  public long overflowedLookups() {
    return overflowedLookups;
  }

  /** Unexpected failures of the sending thread, which went on after each. */
  public long loopFailures() {
    return sending.loopFailures();
  }

  /** Values sampled and thrown away, as warm-up; not in {@link #harvestedValues}. */
  public long discardedValues() {
    return discardedValues;
  }

  /**
   * Values that {@link LatencyRecorder#recordWithExpectedInterval} did not add to the corrected
   * series because one value missed more than 4 billion, or more than 1,024 values between two
   * samples missed more than 1,024 each.
   */
  public long lostBackFill() {
    return lostBackFill;
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
    return sending.recoveredIntervals();
  }

  /** Values in the recovered intervals. */
  public long recoveredValues() {
    return sending.recoveredValues();
  }

  /** All figures with their names, for logs. */
  @Override
  public String toString() {
    return "ClientHealth["
        + "connected="
        + connected()
        + ", series="
        + series()
        + ", pendingIntervals="
        + pendingIntervals()
        + ", inFlightIntervals="
        + inFlightIntervals()
        + ", harvestedValues="
        + harvestedValues()
        + ", sentIntervals="
        + sentIntervals()
        + ", acknowledgedIntervals="
        + acknowledgedIntervals()
        + ", acknowledgedValues="
        + acknowledgedValues()
        + ", resentIntervals="
        + resentIntervals()
        + ", joinedIntervals="
        + joinedIntervals()
        + ", reconnects="
        + reconnects()
        + ", lostValues="
        + lostValues()
        + ", clampedNegative="
        + clampedNegative()
        + ", clampedTooLarge="
        + clampedTooLarge()
        + ", overflowedLookups="
        + overflowedLookups()
        + ", loopFailures="
        + loopFailures()
        + ", discardedValues="
        + discardedValues()
        + ", lostBackFill="
        + lostBackFill()
        + ", spilledIntervals="
        + spilledIntervals()
        + ", spilledValues="
        + spilledValues()
        + ", recoveredIntervals="
        + recoveredIntervals()
        + ", recoveredValues="
        + recoveredValues()
        + "]";
  }
}
