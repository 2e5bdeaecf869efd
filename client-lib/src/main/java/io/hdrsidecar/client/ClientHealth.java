package io.hdrsidecar.client;

import java.util.Map;

/**
 * The client's own figures, counted since it was created. The same go to the sidecar, which exposes
 * them as {@code hdr_sidecar_client_*}.
 *
 * <p>At rest, {@code harvestedValues = acknowledgedValues + lost values + values still waiting}.
 *
 * @param connected whether the sidecar has welcomed this client on a connection that still stands
 * @param series series sampled
 * @param pendingIntervals intervals waiting to be sent, at most one per series
 * @param inFlightIntervals intervals encoded and not acknowledged
 * @param harvestedValues values taken from the recorders into intervals
 * @param sentIntervals intervals sent, each counted once
 * @param acknowledgedIntervals intervals the sidecar acknowledged
 * @param acknowledgedValues values in them
 * @param resentIntervals intervals sent again after a reconnect
 * @param joinedIntervals intervals added to one of the same series that still waited: time
 *     resolution given up, no value lost
 * @param reconnects connections welcomed after the first
 * @param lostValues values lost, by reason: refused by the sidecar for good, such as {@code
 *     series_limit}, never counted because the heap was full, {@code no_memory}, or not delivered
 *     before the end and not written to the spill folder either, {@code spill_failed}
 * @param clampedNegative negative values counted as 0, up to the last interval
 * @param clampedTooLarge values counted as the highest trackable one, up to the last interval
 * @param overflowedLookups lookups above the series limit, answered with an overflow recorder
 * @param loopFailures unexpected failures of the sending thread, which went on after each
 * @param discardedValues values sampled and thrown away, as warm-up; not in {@code harvestedValues}
 * @param lostBackFill values that {@link LatencyRecorder#record(long, long)} did not add to the
 *     corrected series because one value missed more than 4 billion, or more than 1,024 values
 *     between two samples missed more than 1,024 each
 * @param spilledIntervals intervals written to the spill folder at the end
 * @param spilledValues values in them
 * @param recoveredIntervals intervals that earlier clients had left there, and the sidecar has now
 * @param recoveredValues values in them
 */
public record ClientHealth(
    boolean connected,
    long series,
    long pendingIntervals,
    long inFlightIntervals,
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
    long overflowedLookups,
    long loopFailures,
    long discardedValues,
    long lostBackFill,
    long spilledIntervals,
    long spilledValues,
    long recoveredIntervals,
    long recoveredValues) {}
