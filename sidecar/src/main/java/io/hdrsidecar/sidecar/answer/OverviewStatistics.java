package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.query.Percentiles;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.PercentileReader;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;

/**
 * The few statistics that one looks at first, all of the same counts.
 *
 * @param seconds over how long they were counted, more than 0
 * @param bound by how much of the true value a percentile may be above it, infinite for no bound;
 *     not a number where all buckets are HdrHistogram's, of which the layout says it
 * @param count number of values, or {@link #UNKNOWN}; the others mean nothing below 1
 */
record OverviewStatistics(
    double seconds, double bound, long count, long p50, long p99, long p999, long max) {
  /** The count of a row whose statistics were not asked for. */
  static final long UNKNOWN = -1;

  /** Those that were not asked for. */
  static final OverviewStatistics NONE = new OverviewStatistics(1, Double.NaN, UNKNOWN, 0, 0, 0, 0);

  private static final BigDecimal P50 = BigDecimal.valueOf(50);
  private static final BigDecimal P99 = BigDecimal.valueOf(99);
  private static final BigDecimal P999 = new BigDecimal("99.9");

  /** What {@link #of(PercentileReader, double)} takes; for HdrHistogram's buckets. */
  static PercentileReader reader() {
    return new PercentileReader(P50.doubleValue(), P99.doubleValue(), P999.doubleValue());
  }

  /** Of what a {@link #reader} has read. */
  static OverviewStatistics of(PercentileReader read, double seconds) {
    return new OverviewStatistics(
        seconds,
        Double.NaN,
        read.count(),
        read.valueAt(0),
        read.valueAt(1),
        read.valueAt(2),
        read.max());
  }

  /** Of all these counts. */
  static OverviewStatistics of(Distribution counts, double seconds) {
    return new OverviewStatistics(
        seconds,
        counts.hasForeignBuckets() ? counts.bound() : Double.NaN,
        counts.count(),
        Percentiles.valueAt(counts, P50),
        Percentiles.valueAt(counts, P99),
        Percentiles.valueAt(counts, P999),
        counts.max());
  }

  /** Adds them to what is said of a series; null for what there is not. */
  JsonObject addTo(JsonObject json) {
    boolean unknown = count == UNKNOWN;
    boolean empty = count <= 0;
    if (!empty && !Double.isNaN(bound)) {
      json.put("bound", Double.isInfinite(bound) ? null : bound);
    }
    return json.put("count", unknown ? null : count)
        .put("ratePerSecond", unknown ? null : count / seconds)
        .put("p50", empty ? null : p50)
        .put("p99", empty ? null : p99)
        .put("p999", empty ? null : p999)
        .put("max", empty ? null : max);
  }
}
