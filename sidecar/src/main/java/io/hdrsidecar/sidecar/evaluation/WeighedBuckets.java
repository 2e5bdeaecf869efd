package io.hdrsidecar.sidecar.evaluation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Buckets of distributions that are divided by different numbers, in one order. */
final class WeighedBuckets {
  /** Sums of doubles may miss a rank by so much of the whole. */
  private static final double ROUNDING = 1e-12;

  private record Bucket(long lowest, long highest, double weight) {}

  private final List<Bucket> buckets = new ArrayList<>();
  private double total;

  WeighedBuckets(List<HistogramValue.DividedCounts> parts) {
    for (HistogramValue.DividedCounts part : parts) {
      for (int i = 0; i < part.counts().size(); i++) {
        buckets.add(
            new Bucket(part.counts().lowestAt(i), part.counts().highestAt(i), part.weightAt(i)));
        total += part.weightAt(i);
      }
    }
    buckets.sort(Comparator.comparingLong(Bucket::highest));
  }

  /** Highest value of the bucket that reaches a quantile; its lowest for 0. */
  long valueAt(double quantile) {
    double rank = quantile * total * (1 - ROUNDING);
    double reached = 0;
    for (Bucket each : buckets) {
      reached += each.weight();
      if (reached >= rank) {
        return quantile == 0 ? each.lowest() : each.highest();
      }
    }
    return buckets.get(buckets.size() - 1).highest();
  }
}
