package io.hdrsidecar.client;

/**
 * How a client ended.
 *
 * @param deliveredAll whether the sidecar acknowledged everything that was recorded before the
 *     close, apart from what it had refused (see {@link ClientHealth#lostValues})
 * @param undeliveredIntervals intervals never sent, or sent and not acknowledged in time; the
 *     latter may have arrived
 * @param undeliveredValues values in those intervals
 */
public record DeliveryResult(
    boolean deliveredAll, long undeliveredIntervals, long undeliveredValues) {}
