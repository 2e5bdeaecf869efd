package io.hdrsidecar.client;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a client's close: how much it has delivered. Immutable. All numbers are 0 or more.
 *
 * @param deliveredAll whether the sidecar acknowledged everything that was recorded before the
 *     close, apart from what it had refused (see {@link ClientHealth#lostValues})
 * @param undeliveredIntervals intervals never sent, or sent and not acknowledged in time; the
 *     latter may have arrived
 * @param undeliveredValues values in those intervals
 * @param spilledIntervals intervals with these values in the spill file; more than the undelivered
 *     ones if some were too long for a frame
 * @param spilledValues values in them; what is missing of the undelivered ones is lost, and one log
 *     line says why
 * @param spillFile where they are written, for the sidecar or a later client; null if nowhere
 */
public record DeliveryResult(
    boolean deliveredAll,
    long undeliveredIntervals,
    long undeliveredValues,
    long spilledIntervals,
    long spilledValues,
    @Nullable Path spillFile) {
  /** Nothing was spilled. */
  public DeliveryResult(boolean deliveredAll, long undeliveredIntervals, long undeliveredValues) {
    this(deliveredAll, undeliveredIntervals, undeliveredValues, 0, 0, null);
  }
}
