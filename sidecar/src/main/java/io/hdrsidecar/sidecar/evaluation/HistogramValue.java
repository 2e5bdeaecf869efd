package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A distribution as the value of an element: whole counts, and what they are divided by.
 *
 * <p>A rate divides counts by seconds. The counts stay whole numbers: what has one divisor, as a
 * sum of rates over one range does, adds exactly and has the percentiles that its counts have. Only
 * what has several divisors is weighed as floating point numbers.
 *
 * @param parts whose counts and divisors are those of the whole together
 * @param edges of the classic buckets that stand for it, ascending, in the base unit; null for a
 *     native histogram
 */
record HistogramValue(List<DividedCounts> parts, Unit unit, @Nullable List<Double> edges) {
  /**
   * Counts that have a divisor in common.
   *
   * @param counts not to be changed
   */
  record DividedCounts(Distribution counts, double divisor) {
    double weightAt(int i) {
      return counts.countAt(i) / divisor;
    }
  }

  static HistogramValue of(
      Distribution counts, double divisor, Unit unit, @Nullable List<Double> edges) {
    return new HistogramValue(List.of(new DividedCounts(counts, divisor)), unit, edges);
  }

  boolean isClassic() {
    return edges != null;
  }

  /** Number of values. */
  double count() {
    double count = 0;
    for (DividedCounts part : parts) {
      count += part.counts().count() / part.divisor();
    }
    return count;
  }

  /** Sum of the values, in the base unit. */
  double sum() {
    double sum = 0;
    for (DividedCounts part : parts) {
      sum += part.counts().sum().toDouble() / part.divisor();
    }
    return unit.toBaseUnit(sum);
  }

  private boolean isEmpty() {
    return parts.stream().allMatch(part -> part.counts().size() == 0);
  }

  /** Smallest and largest value, in the unit of the series. */
  long min() {
    return parts.stream().mapToLong(part -> part.counts().min()).min().orElse(Long.MAX_VALUE);
  }

  long max() {
    return parts.stream().mapToLong(part -> part.counts().max()).max().orElse(0);
  }

  /**
   * The value at a quantile, in the base unit, with PromQL's answers for what is none; infinite in
   * a bucket without an upper bound whose maximum is not known.
   */
  double quantile(double quantile) {
    if (Double.isNaN(quantile) || isEmpty()) {
      return Double.NaN;
    }
    if (quantile < 0 || quantile > 1) {
      return quantile < 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    List<DividedCounts> filled = parts.stream().filter(part -> part.counts().size() > 0).toList();
    long value =
        filled.size() == 1
            ? filled.get(0).counts().valueAtPercentile(percentile(quantile))
            : new WeighedBuckets(filled).valueAt(quantile);
    long known = Math.min(Math.max(value, min()), max());
    return known == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : unit.toBaseUnit((double) known);
  }

  /** In decimal: 0.29 * 100 is 28.999999999999996 in binary. */
  private static double percentile(double quantile) {
    return BigDecimal.valueOf(quantile).movePointRight(2).doubleValue();
  }

  /**
   * How many values lie at or below an edge of the base unit: a bucket counts, whole, where its
   * highest value lies, as in the classic buckets that Prometheus scrapes.
   */
  double countUpTo(double edge) {
    double upTo = 0;
    for (DividedCounts part : parts) {
      upTo += wholeCountUpTo(part.counts(), limit(edge)) / part.divisor();
    }
    return upTo;
  }

  /** Whatever the maximum is: a larger value that comes later must not take a count away. */
  private static long wholeCountUpTo(Distribution counts, long limit) {
    long upTo = 0;
    for (int i = 0; i < counts.size() && counts.highestAt(i) <= limit; i++) {
      upTo += counts.countAt(i);
    }
    return upTo;
  }

  /** In decimal, as the edge was written: 0.035 s are 35,000,000 ns and not one less. */
  private long limit(double edge) {
    if (Double.isNaN(edge) || edge < 0) {
      return -1;
    }
    if (edge * unit.perBaseUnit() >= Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    return BigDecimal.valueOf(edge)
        .multiply(BigDecimal.valueOf(unit.perBaseUnit()))
        .setScale(0, RoundingMode.FLOOR)
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }

  /**
   * Which share of the values lies above one edge and up to another. Values of 0 lie above the edge
   * 0, as in Prometheus, where the bucket that holds them begins there.
   */
  double fraction(double lower, double upper) {
    if (Double.isNaN(lower) || Double.isNaN(upper) || isEmpty()) {
      return Double.NaN;
    }
    return lower >= upper ? 0 : (countBelow(upper) - countBelow(lower)) / count();
  }

  private double countBelow(double edge) {
    return edge > 0 ? countUpTo(edge) : 0;
  }

  /** Standard deviation, each value taken as the middle of its bucket, in the base unit. */
  double stddev() {
    double count = count();
    double mean = sum() / count;
    double squares = 0;
    for (DividedCounts part : parts) {
      for (int i = 0; i < part.counts().size(); i++) {
        double low = part.counts().lowestAt(i);
        double middle = unit.toBaseUnit(low + (part.counts().highestAt(i) - low) / 2);
        squares += (middle - mean) * (middle - mean) * part.weightAt(i);
      }
    }
    return Math.sqrt(squares / count);
  }

  /** The same, all counts multiplied. */
  HistogramValue times(double factor) {
    return new HistogramValue(
        parts.stream()
            .map(part -> new DividedCounts(part.counts(), part.divisor() / factor))
            .toList(),
        unit,
        edges);
  }

  /** With buckets at some edges only. */
  HistogramValue at(List<Double> someEdges) {
    return new HistogramValue(parts, unit, someEdges);
  }

  /**
   * Both together, whose counts are copied.
   *
   * @throws QueryException when they are in different units, or have different edges
   */
  HistogramValue and(HistogramValue other) throws QueryException {
    Mixtures.refuse(unit, other.unit);
    if (!Objects.equals(edges, other.edges)) {
      throw QueryException.unsupported(
          "query: adds histograms with different buckets, "
              + named(edges)
              + " and "
              + named(other.edges)
              + "; select those of one metric, and the same le of all");
    }
    List<DividedCounts> joined = new ArrayList<>();
    parts.forEach(part -> join(part, joined));
    other.parts.forEach(part -> join(part, joined));
    return new HistogramValue(joined, unit, edges);
  }

  private static String named(@Nullable List<Double> edges) {
    return edges == null ? "native ones" : "le of " + edges;
  }

  private static void join(DividedCounts part, List<DividedCounts> into) {
    Distribution counts = new Distribution();
    for (int i = 0; i < into.size(); i++) {
      if (into.get(i).divisor() == part.divisor()) {
        counts.add(into.get(i).counts());
        counts.add(part.counts());
        into.set(i, new DividedCounts(counts, part.divisor()));
        return;
      }
    }
    counts.add(part.counts());
    into.add(new DividedCounts(counts, part.divisor()));
  }

  /** About how many bytes a copy of the counts takes. */
  long cost() {
    return parts.stream().mapToLong(part -> Distribution.bytesFor(part.counts().size(), 1)).sum();
  }
}
