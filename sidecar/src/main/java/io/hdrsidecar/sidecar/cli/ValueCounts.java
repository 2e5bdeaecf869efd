package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
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
    /** One bucket, from its lowest to its highest value, both included; whole numbers as Long. */
    void visit(Number lowest, Number highest, long count);
  }

  /** Empty counts that take entries like this one. */
  static ValueCounts like(LogEntry entry) {
    return entry.isFloating() ? new FloatingCounts() : new IntegerCounts();
  }

  /** Whether an entry can be added: floating-point values and integers do not mix. */
  final boolean accepts(LogEntry entry) {
    return entry.isFloating() == this instanceof FloatingCounts;
  }

  /** Whether the total stays within what a count can hold. */
  final boolean hasRoomFor(LogEntry entry) {
    return entry.count() <= Long.MAX_VALUE - count();
  }

  /**
   * Adds the scan's interval, or leaves it out with a warning.
   *
   * @return whether it was added
   * @throws IOException when its values reach too far to be added, and some of them have been
   */
  final boolean addOrRefuse(LogScan scan) throws IOException {
    LogEntry entry = scan.entry();
    if (!accepts(entry)) {
      scan.refuse(refusal(entry));
      return false;
    }
    if (!hasRoomFor(entry)) {
      scan.refuse(
          "its "
              + entry.count()
              + " values and the "
              + count()
              + " of the lines before are more than a count can hold, 2^63 - 1");
      return false;
    }
    try {
      add(entry);
    } catch (ArithmeticException e) {
      throw new IOException(scan.place() + ": " + e.getMessage(), e);
    }
    return true;
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

  /** Standard deviation from the middles of the buckets; 0 without counts. */
  abstract double standardDeviation();

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
