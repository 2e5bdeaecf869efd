package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.otlp.DataPoint.SentExemplar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * What was counted from one moment to another, as a point of delta temporality says it, or two
 * cumulative ones together. In the unit of the sender, but for the sum. Immutable but for owners of
 * the arrays.
 *
 * @param startNanos since the epoch, as {@code endNanos}
 * @param positive null for explicit buckets
 * @param zeroCount of base-2 buckets: values up to the threshold
 * @param negativeCount of base-2 buckets
 * @param bounds null for base-2 buckets
 * @param counts of explicit buckets
 * @param sum of all values, in the unit of the series; null where it is not known
 * @param min NaN where it is not known, as {@code max}
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them, and a list would box.
record PointCounts(
    long startNanos,
    long endNanos,
    @Nullable Base2Buckets positive,
    long zeroCount,
    long negativeCount,
    double @Nullable [] bounds,
    long[] counts,
    @Nullable BigInteger sum,
    double min,
    double max,
    @Nullable SentExemplar exemplar) {
  /** All that a point says. */
  static PointCounts of(DataPoint point, long valuesPerUnit) {
    return new PointCounts(
        point.startNanos == 0 ? point.timeNanos : point.startNanos,
        point.timeNanos,
        point.positive,
        point.zeroCount,
        point.negativeCount,
        point.bounds,
        point.counts,
        sum(point, valuesPerUnit),
        point.min,
        point.max,
        point.exemplar);
  }

  /**
   * The sum as a whole number; the difference of two such is that of all between, exactly. Null
   * where it is not said, or more than so many numbers of 64 bits can have.
   */
  static @Nullable BigInteger sum(DataPoint point, long valuesPerUnit) {
    if (!(point.sum >= 0) || Double.isInfinite(point.sum)) {
      return null;
    }
    BigInteger sum =
        new BigDecimal(Double.toString(point.sum))
            .multiply(BigDecimal.valueOf(valuesPerUnit))
            .setScale(0, RoundingMode.HALF_UP)
            .toBigInteger();
    BigInteger most = BigInteger.valueOf(point.count).multiply(BigInteger.valueOf(Long.MAX_VALUE));
    return sum.compareTo(most) > 0 ? null : sum;
  }

  /** How many values these are. */
  long total() {
    Base2Buckets base2 = positive;
    if (base2 != null) {
      return base2.total() + zeroCount + negativeCount;
    }
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    return total;
  }
}
