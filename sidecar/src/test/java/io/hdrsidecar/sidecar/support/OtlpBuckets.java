package io.hdrsidecar.sidecar.support;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.testing.PowersOfTwo;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/** Values in nanoseconds as a sender of OpenTelemetry counts them: by its formula, not by ours. */
public final class OtlpBuckets {
  public static final long NANOS = 1_000_000_000;

  private OtlpBuckets() {}

  /** Counts of seconds in base-2 buckets; a zero in its own. */
  public static DecodedHistogram base2(int scale, long... values) {
    PowersOfTwo formula = new PowersOfTwo(scale, NANOS);
    BucketLayout layout = BucketLayout.base2(scale, NANOS);
    TreeMap<Integer, Long> counts = new TreeMap<>();
    for (long value : values) {
      int index = value == 0 ? 0 : layout.base2IndexOf(formula.indexOf(value));
      counts.merge(index, 1L, Long::sum);
    }
    return decoded(layout, counts);
  }

  /** Counts in HdrHistogram's buckets of 3 digits, as clients of ours send them. */
  public static DecodedHistogram hdr(long... values) {
    BucketLayout layout = BucketLayout.of(1, 3);
    TreeMap<Integer, Long> counts = new TreeMap<>();
    for (long value : values) {
      counts.merge(layout.indexOf(value), 1L, Long::sum);
    }
    return decoded(layout, counts);
  }

  /** Counts in buckets up to these bounds and above. */
  public static DecodedHistogram explicit(long[] bounds, long... values) {
    TreeMap<Integer, Long> counts = new TreeMap<>();
    for (long value : values) {
      int index = (int) Arrays.stream(bounds).filter(bound -> bound < value).count();
      counts.merge(index, 1L, Long::sum);
    }
    return decoded(BucketLayout.explicit(bounds), counts);
  }

  private static DecodedHistogram decoded(BucketLayout layout, SortedMap<Integer, Long> counts) {
    DecodedHistogram decoded = new DecodedHistogram();
    decoded.start(layout, Long.MAX_VALUE);
    counts.forEach((index, count) -> decoded.counts().visit(index, count));
    return decoded;
  }

  /** Sum, minimum and maximum as they are. */
  public static SumMinMax sumMinMax(long... values) {
    return SumMinMax.of(
        0,
        Arrays.stream(values).sum(),
        true,
        Arrays.stream(values).min().orElseThrow(),
        Arrays.stream(values).max().orElseThrow());
  }

  /** The sum alone. */
  public static SumMinMax sumOnly(long... values) {
    return SumMinMax.of(0, Arrays.stream(values).sum(), true, SumMinMax.UNKNOWN, SumMinMax.UNKNOWN);
  }

  public static SeriesDefinition definition(String name, BucketLayout layout) {
    return new SeriesDefinition(
        new SeriesKey(name, Labels.of("route", "/pay")),
        Unit.NANOSECONDS,
        "Time to pay.",
        layout,
        Long.MAX_VALUE);
  }

  /** Merges an interval of the last second. */
  public static Series merge(
      SeriesStore store, String name, DecodedHistogram histogram, SumMinMax sumMinMax)
      throws RefusedException {
    Series series = store.register(definition(name, histogram.layout()));
    long now = System.currentTimeMillis();
    store.merge(series, histogram, now - 1000, now, sumMinMax);
    return series;
  }
}
