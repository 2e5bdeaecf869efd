package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;

/**
 * A series of which a {@link PastSource} has intervals. It may live or have ended, also before this
 * process began.
 *
 * @param key name and labels
 * @param unit of the values
 * @param help of the metric; may be empty
 * @param fromMillis start of the first of its intervals, or earlier
 * @param toMillis end of the last, or later
 */
public record PastSeries(SeriesKey key, Unit unit, String help, long fromMillis, long toMillis) {
  /** One that may have intervals at any time. */
  public static PastSeries of(SeriesKey key, Unit unit) {
    return new PastSeries(key, unit, "", Long.MIN_VALUE, Long.MAX_VALUE);
  }
}
