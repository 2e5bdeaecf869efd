package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.series.Unit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Latencies in nanoseconds as a sorted list: the truth that every exposed number is held against.
 */
final class RawValues {
  private static final int SIZE = 50_000;
  private static final Map<String, RawValues> MADE = new ConcurrentHashMap<>();

  private final long[] sorted;

  private RawValues(long[] sorted) {
    this.sorted = sorted;
  }

  /** Shapes that latencies take. */
  static RawValues of(String shape) {
    return MADE.computeIfAbsent(shape, RawValues::make);
  }

  private static RawValues make(String shape) {
    SplittableRandom random = new SplittableRandom(shape.hashCode());
    long[] values = new long[size(shape)];
    Arrays.setAll(values, i -> next(shape, random));
    Arrays.sort(values);
    return new RawValues(values);
  }

  private static int size(String shape) {
    return switch (shape) {
      case "one value" -> 1;
      case "three values" -> 3;
      default -> SIZE;
    };
  }

  private static long next(String shape, SplittableRandom random) {
    double uniform = random.nextDouble();
    return switch (shape) {
      case "uniform" -> (long) (1e6 + uniform * 9e6);
      case "exponential" -> (long) (-Math.log(1 - uniform) * 3e6) + 1;
      case "lognormal" -> (long) (Math.exp(random.nextGaussian() * 1.5) * 2e6) + 1;
      case "bimodal" -> (long) (uniform < 0.95 ? 2e5 * (1 + uniform) : 2e8 * (1 + uniform));
      case "heavy tail" -> (long) Math.min(1e6 / Math.pow(1 - uniform, 1 / 1.1), 3e12);
      case "one value", "three values" -> (long) (1e6 * Math.exp(uniform * 8));
      // The last value of a bucket, the first of the next, and powers of two, which native ones end
      // with: 2^30 ns is no power of two in seconds, but 5^9 * 2^k ns is.
      case "bucket edges" -> (1_953_125L << random.nextInt(14)) + random.nextInt(-1, 2);
      case "constant" -> 4_000_000;
      case "with zeros" -> uniform < 0.1 ? 0 : (long) (uniform * 1e7);
      default -> throw new IllegalArgumentException(shape);
    };
  }

  /** Not to be changed: all tests of a shape share them. */
  long[] sorted() {
    return sorted;
  }

  /** Counted with a lowest discernible value of 1 ns. */
  Accumulation counted(int digits) {
    Accumulation accumulation = new Accumulation(BucketLayout.of(1, digits));
    for (long value : sorted) {
      accumulation.counts().add(accumulation.counts().layout().indexOf(value), 1);
      accumulation.sum().add(value);
      accumulation.widen(value, value);
    }
    return accumulation;
  }

  /** These counts as a page shows them. */
  HistogramReading reading(int digits, List<Double> edges, int schema, int maxBuckets) {
    ExposeConfig config =
        new ExposeConfig(List.of(), edges, List.of(), List.of(), schema, maxBuckets);
    return reading(counted(digits), Unit.NANOSECONDS, config);
  }

  static HistogramReading reading(Accumulation counted, Unit unit, ExposeConfig config) {
    HistogramReading reading = new HistogramReading(config, true);
    reading.begin(unit);
    reading.add(counted.counts(), counted.sumMinMax());
    reading.end();
    return reading;
  }

  /** The smallest value that at least this share of all values does not exceed. */
  long quantile(double quantile) {
    return sorted[(int) Math.max(Math.ceil(quantile * sorted.length) - 1, 0)];
  }

  /** How many values do not exceed this one. */
  long countUpTo(double value) {
    int first = 0; // all before it do not
    int end = sorted.length; // all from it on do
    while (first < end) {
      int middle = (first + end) >>> 1;
      if (sorted[middle] <= value) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first;
  }
}
