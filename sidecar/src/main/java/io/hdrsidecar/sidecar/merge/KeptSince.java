package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.history.History;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Since when the history in memory has every interval of a series, so that an answer without values
 * can tell "nothing was recorded" from "nothing is kept".
 *
 * <p>A living series keeps all its intervals. Another under the same name may have ended before it,
 * and took its own along; but it had been silent for the idle expiry by then. So nothing is missing
 * from that long before the series began, as far as there was a store.
 */
final class KeptSince {
  private KeptSince() {}

  /**
   * The earliest moment from which nothing is missing; {@link Instant#MAX} when anything may be.
   *
   * @param idleExpiry zero for never
   * @param begunAt when the store was made
   * @param history null for none
   */
  static Instant of(
      Series series, Duration idleExpiry, Instant begunAt, @Nullable History history) {
    if (history == null || history.droppedIntervals() > 0) {
      return Instant.MAX;
    }
    Instant silentFrom = series.createdAt().minus(idleExpiry);
    return idleExpiry.isZero() || silentFrom.isBefore(begunAt) ? begunAt : silentFrom;
  }
}
