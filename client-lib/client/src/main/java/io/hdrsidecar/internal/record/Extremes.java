package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.BucketLayout;

/**
 * Finds the smallest and the largest value of each harvest.
 *
 * <p>Counts are harvested before extremes, so an extreme offered here may belong to a value whose
 * count comes with a later harvest ("early"), and that of a counted value may have been taken with
 * an earlier one. The harvested buckets tell: the maximum of a harvest lies in its highest non-zero
 * bucket.
 *
 * <ul>
 *   <li>Candidates inside that bucket: the largest is the maximum.
 *   <li>Candidates above it are early. The largest is offered again until a harvest reaches it.
 *   <li>No candidate inside: all that is known is the bucket, and that nothing exceeded the largest
 *       candidate of all times. The smaller of both is the maximum.
 * </ul>
 *
 * <p>The maximum over all harvests is exact. Call the largest value M. No harvest reports more than
 * M, as every answer is a candidate or is bounded by one. And M is reported: by the harvest that
 * counts it, it has been offered, in that harvest or earlier; it is early until a harvest has M's
 * bucket on top, and at the first that has, it is the largest candidate inside. The same holds for
 * the minimum, upside down. One thread at a time.
 */
final class Extremes {
  private final BucketLayout layout;
  private long smallestEver;
  private long largestEver;
  private long earlyMin = Stripe.NO_MIN;
  private long earlyMax = Stripe.NO_MAX;

  private long lowestOfMin;
  private long highestOfMin;
  private long lowestOfMax;
  private long highestOfMax;
  private long min;
  private long max;

  /**
   * @param smallestEver a bound below all values to come, as far as known
   * @param largestEver a bound above them
   */
  private Extremes(BucketLayout layout, long smallestEver, long largestEver) {
    this.layout = layout;
    this.smallestEver = smallestEver;
    this.largestEver = largestEver;
  }

  /** For the sampler, which sees all candidates from the first on. */
  static Extremes ofAllHarvests(BucketLayout layout) {
    return new Extremes(layout, Stripe.NO_MIN, Stripe.NO_MAX);
  }

  /** For a single look, which knows no more than the range. */
  static Extremes ofSnapshot(BucketLayout layout, long highestTrackableValue) {
    return new Extremes(layout, 0, highestTrackableValue);
  }

  /** Starts a harvest whose lowest and highest non-zero buckets are these. */
  void begin(int lowIndex, int highIndex) {
    lowestOfMin = layout.lowestValueAt(lowIndex);
    highestOfMin = layout.highestValueAt(lowIndex);
    lowestOfMax = layout.lowestValueAt(highIndex);
    highestOfMax = layout.highestValueAt(highIndex);
    min = Stripe.NO_MIN;
    max = Stripe.NO_MAX;
    long againMin = earlyMin;
    long againMax = earlyMax;
    earlyMin = Stripe.NO_MIN;
    earlyMax = Stripe.NO_MAX;
    offer(againMin, againMax);
  }

  /** Offers what a stripe saw; {@link Stripe#NO_MIN}, {@link Stripe#NO_MAX} for nothing. */
  void offer(long candidateMin, long candidateMax) {
    smallestEver = Math.min(smallestEver, candidateMin);
    if (candidateMin < lowestOfMin) {
      earlyMin = Math.min(earlyMin, candidateMin);
    } else if (candidateMin <= highestOfMin) {
      min = Math.min(min, candidateMin);
    }
    largestEver = Math.max(largestEver, candidateMax);
    if (candidateMax > highestOfMax) {
      earlyMax = Math.max(earlyMax, candidateMax);
    } else if (candidateMax >= lowestOfMax) {
      max = Math.max(max, candidateMax);
    }
  }

  /** Smallest value of the harvest; lies in its lowest non-zero bucket. */
  long min() {
    return Math.min(lowest(), highest());
  }

  /** Largest value of the harvest; lies in its highest non-zero bucket. */
  long max() {
    return Math.max(lowest(), highest());
  }

  // When all counts lie in one bucket, a writer halfway between its two extremes can leave a
  // candidate for the minimum that is above the one for the maximum. Both are values of that
  // bucket, so each serves for the other.

  private long lowest() {
    return min == Stripe.NO_MIN ? Math.max(lowestOfMin, smallestEver) : min;
  }

  private long highest() {
    return max == Stripe.NO_MAX ? Math.min(highestOfMax, largestEver) : max;
  }
}
