package io.hdrsidecar.tests.promql;

import static io.hdrsidecar.tests.promql.RecordedSeries.NANOS;

import java.util.Arrays;

/**
 * A number that is asked of a histogram, and where it must lie: by the sorted list of its values,
 * and by what a Prometheus says.
 */
sealed interface Figure {
  /** What is promised: within 0.1 % of the value. */
  double PRECISION = 1.001;

  /** The query, about a histogram whose selector has this suffix, or about a classic form of it. */
  String text(String histogram);

  /**
   * By the values.
   *
   * @param sorted in nanoseconds
   * @param divisor that counts are divided by
   */
  Interval of(long[] sorted, double divisor);

  /** By what Prometheus says, which has seen the same values in its own buckets. */
  Interval around(double prometheus, long[] sorted);

  /** Whether Prometheus knows it exactly. */
  default boolean isExact() {
    return false;
  }

  /** How many there were. */
  record Count() implements Figure {
    @Override
    public String text(String histogram) {
      return "histogram_count(" + histogram + ")";
    }

    @Override
    public Interval of(long[] sorted, double divisor) {
      return Interval.of(sorted.length / divisor);
    }

    @Override
    public Interval around(double prometheus, long[] sorted) {
      return Interval.of(prometheus);
    }

    @Override
    public boolean isExact() {
      return true;
    }
  }

  /** Their sum. */
  record Sum() implements Figure {
    @Override
    public String text(String histogram) {
      return "histogram_sum(" + histogram + ")";
    }

    @Override
    public Interval of(long[] sorted, double divisor) {
      return Interval.of(Arrays.stream(sorted).sum() / NANOS / divisor);
    }

    @Override
    public Interval around(double prometheus, long[] sorted) {
      return Interval.of(prometheus);
    }

    @Override
    public boolean isExact() {
      return true;
    }
  }

  /** Their mean. */
  record Mean() implements Figure {
    @Override
    public String text(String histogram) {
      return "histogram_avg(" + histogram + ")";
    }

    @Override
    public Interval of(long[] sorted, double divisor) {
      return Interval.of(Arrays.stream(sorted).average().orElse(Double.NaN) / NANOS);
    }

    @Override
    public Interval around(double prometheus, long[] sorted) {
      return Interval.of(prometheus);
    }

    @Override
    public boolean isExact() {
      return true;
    }
  }

  /**
   * The value of a rank.
   *
   * @param classic whether Prometheus is asked with classic buckets
   */
  record Quantile(double quantile, boolean classic) implements Figure {
    @Override
    public String text(String histogram) {
      return "histogram_quantile(" + quantile + ", " + histogram + ")";
    }

    @Override
    public Interval of(long[] sorted, double divisor) {
      if (sorted.length == 0) {
        return Interval.of(Double.NaN);
      }
      double rank = quantile * sorted.length;
      double below = sorted[index(rank * (1 - 1e-12), sorted.length)] / NANOS;
      double above = sorted[index(rank * (1 + 1e-12), sorted.length)] / NANOS;
      return new Interval(below, above * PRECISION);
    }

    private static int index(double rank, int count) {
      return Math.min(count, Math.max(1, (int) Math.ceil(rank))) - 1;
    }

    @Override
    public Interval around(double prometheus, long[] sorted) {
      if (Double.isNaN(prometheus)) {
        // Of quantile 0 where its first classic bucket is empty, too.
        boolean isUnknown = quantile == 0 && sorted.length > 0;
        return isUnknown ? new Interval(0, Double.MAX_VALUE) : Interval.of(Double.NaN);
      }
      return classic ? classicBucket(prometheus) : nativeBucket(prometheus);
    }

    private static Interval nativeBucket(double value) {
      return new Interval(
          ScrapedSeries.edge(ScrapedSeries.bucketOf(value * (1 - 1e-9)) - 1),
          ScrapedSeries.edge(ScrapedSeries.bucketOf(value * (1 + 1e-9))) * PRECISION);
    }

    /** Of all that is over the last edge, Prometheus says that edge. */
    private static Interval classicBucket(double value) {
      double low = 0;
      double high = Double.POSITIVE_INFINITY;
      double last = 0;
      for (String each : ScrapedSeries.EDGES) {
        double edge = ScrapedSeries.parsed(each);
        if (edge < value * (1 - 1e-9)) {
          low = edge;
        }
        if (high == Double.POSITIVE_INFINITY && edge >= value * (1 + 1e-9)) {
          high = edge;
        }
        last = Double.isInfinite(edge) ? last : edge;
      }
      return new Interval(
          low, value >= last * (1 - 1e-9) ? Double.POSITIVE_INFINITY : high * PRECISION);
    }
  }

  /** The share of the values between two limits. */
  record Fraction(double low, double high) implements Figure {
    @Override
    public String text(String histogram) {
      return "histogram_fraction(" + low + ", " + high + ", " + histogram + ")";
    }

    @Override
    public Interval of(long[] sorted, double divisor) {
      double inner = share(sorted, low * PRECISION, high / PRECISION);
      return new Interval(inner, share(sorted, low / PRECISION, high * PRECISION));
    }

    /** Prometheus guesses how the values of the buckets lie in which the limits are. */
    @Override
    public Interval around(double prometheus, long[] sorted) {
      double unknown = inBucketOf(low, sorted) + inBucketOf(high, sorted);
      return new Interval(prometheus - unknown, prometheus + unknown);
    }

    private static double inBucketOf(double limit, long[] sorted) {
      if (limit <= 0) {
        return 0;
      }
      int bucket = ScrapedSeries.bucketOf(limit);
      double from = ScrapedSeries.edge(bucket - 1) / PRECISION;
      return share(sorted, from, ScrapedSeries.edge(bucket) * PRECISION);
    }

    private static double share(long[] sorted, double above, double upTo) {
      long inside =
          Arrays.stream(sorted).filter(v -> v > above * NANOS && v <= upTo * NANOS).count();
      return (double) inside / sorted.length;
    }
  }

  /** How far they are from their mean. */
  record Deviation() implements Figure {
    /** A value is at most that part of itself from the middle of its native bucket. */
    private static final double HALF_A_BUCKET = Math.pow(2, 1.0 / 16) - 1;

    @Override
    public String text(String histogram) {
      return "histogram_stddev(" + histogram + ")";
    }

    @Override
    public Interval of(long[] sorted, double divisor) {
      double mean = Arrays.stream(sorted).average().orElse(Double.NaN) / NANOS;
      double deviation =
          Math.sqrt(
              Arrays.stream(sorted)
                  .mapToDouble(value -> Math.pow(value / NANOS - mean, 2))
                  .average()
                  .orElse(Double.NaN));
      double unknown = rootMeanSquare(sorted) * (PRECISION - 1);
      return new Interval(deviation - unknown, deviation + unknown);
    }

    @Override
    public Interval around(double prometheus, long[] sorted) {
      double unknown = rootMeanSquare(sorted) * (HALF_A_BUCKET + PRECISION - 1);
      return new Interval(prometheus - unknown, prometheus + unknown);
    }

    private static double rootMeanSquare(long[] sorted) {
      return Math.sqrt(
          Arrays.stream(sorted).mapToDouble(v -> Math.pow(v / NANOS, 2)).average().orElse(0));
    }
  }
}
