package io.hdrsidecar.benchmarks.scrape;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * A store with many series of latencies, and intervals to merge into them: log-normal around 3 ms,
 * decoded before anything is measured. Twenty names share the series, which differ in three labels.
 */
final class LoadedStore {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final int NAMES = 20;
  private static final int INTERVALS = 256;

  /** One interval, ready to be merged. */
  private record Interval(DecodedHistogram histogram, ExactSum sum, long min, long max) {}

  private final SeriesStore store;
  private final InstantSource clock;
  private final List<Series> series = new ArrayList<>();
  private final List<Interval> intervals = new ArrayList<>();
  private int next;

  LoadedStore(
      int seriesCount,
      int valuesInInterval,
      String windows,
      InstantSource clock,
      LongSupplier nanoTime)
      throws Exception {
    List<WindowSpec> specs = windows.isEmpty() ? List.of() : WindowSpec.parseList(windows);
    this.store = new SeriesStore(new MergeConfig(seriesCount, 1, 1 << 19, specs), clock, nanoTime);
    this.clock = clock;
    for (int i = 0; i < seriesCount; i++) {
      Labels labels =
          Labels.of(
              "route", "/api/v1/things/" + i / NAMES, "method", "GET", "region", "eu-central-1");
      SeriesKey key = new SeriesKey("service_" + i % NAMES + "_latency", labels);
      series.add(
          store.register(
              new SeriesDefinition(key, Unit.NANOSECONDS, "Response time.", LAYOUT, HIGHEST)));
    }
    SplittableRandom random = new SplittableRandom(seriesCount);
    for (int i = 0; i < INTERVALS; i++) {
      intervals.add(interval(random, valuesInInterval));
    }
  }

  private static Interval interval(SplittableRandom random, int values) throws Exception {
    PagedCounts counts = new PagedCounts(LAYOUT);
    ExactSum sum = new ExactSum();
    long min = Long.MAX_VALUE;
    long max = 0;
    for (int i = 0; i < values; i++) {
      long value = (long) (3e6 * Math.exp(0.5 * random.nextGaussian()));
      counts.add(LAYOUT.indexOf(value), 1);
      sum.add(value);
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    DecodedHistogram decoded = new DecodedHistogram();
    try (HistogramEncoder encoder = new HistogramEncoder();
        HistogramDecoder decoder = new HistogramDecoder(1 << 20)) {
      ByteBuffer encoded = encoder.encode(counts, HIGHEST, 0);
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      decoder.decode(bytes, 0, bytes.length, decoded);
    }
    return new Interval(decoded, sum, min, max);
  }

  SeriesStore store() {
    return store;
  }

  int size() {
    return series.size();
  }

  /** Merges an interval of the last second into each series. */
  void mergeAll() throws Exception {
    for (int i = 0; i < series.size(); i++) {
      merge(i);
    }
  }

  /** Merges an interval of the last second into one series. */
  void merge(int index) throws Exception {
    Interval interval = intervals.get(next);
    next = (next + 1) % INTERVALS;
    long endMillis = clock.millis();
    store.merge(
        series.get(index),
        interval.histogram(),
        endMillis - 1000,
        endMillis,
        SumMinMax.of(
            interval.sum().high(), interval.sum().low(), true, interval.min(), interval.max()));
  }

  /** How many non-zero buckets an interval has, on average. */
  double bucketsInInterval() {
    return intervals.stream().mapToInt(i -> i.histogram().counts().size()).average().orElse(0);
  }
}
