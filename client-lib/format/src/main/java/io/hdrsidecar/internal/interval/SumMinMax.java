package io.hdrsidecar.internal.interval;

/**
 * What travels beside the counts of values, since HdrHistogram's encoding carries none of it: their
 * exact sum, the smallest and the largest. Made to be filled again; one writer at a time.
 */
public final class SumMinMax {
  /**
   * In place of a smallest or largest value that was not sent: the edge of the first or last bucket
   * takes its place when it is merged.
   */
  public static final long UNKNOWN = -1;

  private final ExactSum sum = new ExactSum();
  private boolean sumExact = true;
  private long min = Long.MAX_VALUE;
  private long max;

  /** Of values, as {@link #set(long, long, boolean, long, long)} has them. */
  public static SumMinMax of(
      long sumHigh, long sumLow, boolean exact, long smallest, long largest) {
    SumMinMax sumMinMax = new SumMinMax();
    sumMinMax.set(sumHigh, sumLow, exact, smallest, largest);
    return sumMinMax;
  }

  /** Replaces all of them, unchecked. */
  public void set(ExactSum ofValues, boolean exact, long smallest, long largest) {
    sum.set(ofValues);
    sumExact = exact;
    min = smallest;
    max = largest;
  }

  /**
   * Replaces all of them, unchecked.
   *
   * @param sumHigh upper 64 bits of the sum of the values
   * @param sumLow lower 64 bits, unsigned
   * @param exact whether the sum was counted, not derived from buckets
   */
  public void set(long sumHigh, long sumLow, boolean exact, long smallest, long largest) {
    sum.set(sumHigh, sumLow);
    sumExact = exact;
    min = smallest;
    max = largest;
  }

  /** Becomes equal to the other. */
  public void set(SumMinMax other) {
    set(other.sum, other.sumExact, other.min, other.max);
  }

  /** Becomes those of both together. */
  public void add(SumMinMax other) {
    sum.add(other.sum);
    sumExact &= other.sumExact;
    widen(other.min, other.max);
  }

  /** Lowers the minimum and raises the maximum where needed. */
  public void widen(long otherMin, long otherMax) {
    min = Math.min(min, otherMin);
    max = Math.max(max, otherMax);
  }

  /**
   * Brings smallest and largest to where buckets say that they are: unknown ones to the outer edges
   * of the first and the last bucket, others into these.
   *
   * @param first index of the first non-zero bucket
   * @param last index of the last
   */
  public void settle(BucketLayout layout, int first, int last) {
    long edge = layout.lowestValueAt(first);
    min = min == UNKNOWN ? edge : Math.max(edge, Math.min(min, layout.highestValueAt(first)));
    edge = layout.highestValueAt(last);
    max = max == UNKNOWN ? edge : Math.min(edge, Math.max(max, layout.lowestValueAt(last)));
  }

  /** Back to those of no values. */
  public void clear() {
    sum.clear();
    sumExact = true;
    min = Long.MAX_VALUE;
    max = 0;
  }

  /** Sum of the values, in their own unit. */
  public ExactSum sum() {
    return sum;
  }

  /** Whether all of the sum was counted, none of it derived from buckets. */
  public boolean isSumExact() {
    return sumExact;
  }

  /** Smallest value, or {@link Long#MAX_VALUE} without values. */
  public long min() {
    return min;
  }

  /** Largest value, or 0 without values. */
  public long max() {
    return max;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SumMinMax that
        && sum.equals(that.sum)
        && sumExact == that.sumExact
        && min == that.min
        && max == that.max;
  }

  @Override
  public int hashCode() {
    return (sum.hashCode() * 31 + Long.hashCode(min)) * 31 + Long.hashCode(max);
  }

  @Override
  public String toString() {
    return "sum " + sum + (sumExact ? "" : " (estimated)") + ", " + min + " to " + max;
  }
}
