package io.hdrsidecar.sidecar.cli;

import java.io.PrintStream;
import java.util.TreeMap;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.DoubleHistogramIterationValue;

/**
 * Counts of floating-point values: one of HdrHistogram's own histograms for each number of digits.
 * Scales of such histograms differ by powers of two only, and no value lies in the part of the
 * layout where buckets get relatively wider, so of equal digits they add without loss.
 */
final class FloatingCounts extends ValueCounts {
  private final TreeMap<Integer, DoubleHistogram> byDigits = new TreeMap<>();

  @Override
  void add(LogEntry entry) {
    DoubleHistogram added = floating(entry);
    DoubleHistogram sum =
        byDigits.computeIfAbsent(
            added.getNumberOfSignificantValueDigits(), digits -> emptyLike(added));
    try {
      sum.add(added);
    } catch (ArrayIndexOutOfBoundsException e) {
      throw new ArithmeticException(
          "floating-point values reach too far for one histogram, up to " + added.getMaxValue());
    }
  }

  @Override
  void subtract(LogEntry entry) {
    DoubleHistogram taken = floating(entry);
    byDigits
        .computeIfAbsent(taken.getNumberOfSignificantValueDigits(), digits -> emptyLike(taken))
        .subtract(taken);
  }

  private static DoubleHistogram floating(LogEntry entry) {
    DoubleHistogram histogram = entry.floating();
    if (histogram == null) {
      throw new IllegalArgumentException(refusal(entry));
    }
    return histogram;
  }

  private static DoubleHistogram emptyLike(DoubleHistogram histogram) {
    DoubleHistogram empty = histogram.copy();
    empty.reset();
    empty.setAutoResize(true);
    return empty;
  }

  /** All digits together; of several, each coarser bucket at its highest value. */
  DoubleHistogram joined() {
    if (byDigits.size() == 1) {
      return byDigits.firstEntry().getValue();
    }
    DoubleHistogram joined = new DoubleHistogram(byDigits.isEmpty() ? 3 : byDigits.lastKey());
    joined.setAutoResize(true);
    for (DoubleHistogram part : byDigits.values()) {
      for (DoubleHistogramIterationValue value : part.recordedValues()) {
        joined.recordValueWithCount(value.getValueIteratedTo(), value.getCountAtValueIteratedTo());
      }
    }
    return joined;
  }

  /** The histogram of each number of digits. */
  Iterable<DoubleHistogram> byDigits() {
    return byDigits.values();
  }

  @Override
  long count() {
    return byDigits.values().stream()
        .mapToLong(DoubleHistogram::getTotalCount)
        .reduce(0, Math::addExact);
  }

  @Override
  double valueAtPercentile(double percentile) {
    return joined().getValueAtPercentile(percentile);
  }

  @Override
  double minimum() {
    return count() == 0 ? 0 : joined().getMinValue();
  }

  @Override
  double maximum() {
    return count() == 0 ? 0 : joined().getMaxValue();
  }

  @Override
  double mean() {
    return joined().getMean();
  }

  @Override
  double standardDeviation() {
    return joined().getStdDeviation();
  }

  @Override
  void forEach(BucketVisitor visitor) {
    DoubleHistogram joined = joined();
    for (DoubleHistogramIterationValue value : joined.recordedValues()) {
      double highest = value.getValueIteratedTo();
      visitor.visit(
          joined.lowestEquivalentValue(highest), highest, value.getCountAtValueIteratedTo());
    }
  }

  @Override
  boolean hasSameBucketsAs(ValueCounts other) {
    return other instanceof FloatingCounts that && byDigits.equals(that.byDigits);
  }

  @Override
  void printDistribution(PrintStream out, int ticks, double ratio, boolean csv) {
    joined().outputPercentileDistribution(out, ticks, ratio, csv);
  }
}
