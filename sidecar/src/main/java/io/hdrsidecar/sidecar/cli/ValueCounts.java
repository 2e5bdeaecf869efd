package io.hdrsidecar.sidecar.cli;

import java.io.PrintStream;

/**
 * What many intervals counted together. Adding is exact: buckets of equal layout add, those of
 * different layouts are kept apart and joined only when read, each at its highest value (see
 * ARCHITECTURE.md, law 2). Memory depends on the buckets in use, never on how many intervals were
 * added. One thread at a time.
 */
abstract sealed class ValueCounts permits IntegerCounts, FloatingCounts {
  /** Receives non-zero buckets in ascending order of their highest value. */
  @FunctionalInterface
  interface BucketVisitor {
    /** One bucket, from its lowest to its highest value, both included. */
    void visit(double lowest, double highest, long count);
  }

  /** Empty counts that take entries like this one. */
  static ValueCounts like(LogEntry entry) {
    return entry.isFloating() ? new FloatingCounts() : new IntegerCounts();
  }

  /** Whether an entry can be added: floating-point values and integers do not mix. */
  final boolean accepts(LogEntry entry) {
    return entry.isFloating() == this instanceof FloatingCounts;
  }

  /** Why an entry is not accepted, and what to do. */
  static String refusal(LogEntry entry) {
    return entry.isFloating()
        ? "a histogram of floating-point values among histograms of integers; select one kind by"
            + " tag or file"
        : "a histogram of integers among histograms of floating-point values; select one kind by"
            + " tag or file";
  }

  /**
   * Adds all counts of an accepted entry.
   *
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}
   */
  abstract void add(LogEntry entry);

  /** Takes away an entry that was added before. */
  abstract void subtract(LogEntry entry);

  /** How many values. */
  abstract long count();

  /**
   * The value that the given share of all values does not exceed, HdrHistogram's rule.
   *
   * @param percentile 0 to 100
   */
  abstract double valueAtPercentile(double percentile);

  /** Lowest value of the lowest bucket in use; 0 without counts. */
  abstract double minimum();

  /** Highest value of the highest bucket in use; 0 without counts. */
  abstract double maximum();

  /** Mean from the middles of the buckets; 0 without counts. */
  abstract double mean();

  /** Visits every bucket that has counts. */
  abstract void forEach(BucketVisitor visitor);

  /** Whether both have the same buckets with the same counts in the same layouts. */
  abstract boolean hasSameBucketsAs(ValueCounts other);

  /**
   * Prints the percentile distribution as {@link
   * org.HdrHistogram.Histogram#outputPercentileDistribution} does.
   *
   * @param ticks steps for each halved distance to 100 %
   * @param ratio values are divided by it
   */
  abstract void printDistribution(PrintStream out, int ticks, double ratio, boolean csv);
}
