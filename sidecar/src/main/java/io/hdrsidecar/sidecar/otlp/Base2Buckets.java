package io.hdrsidecar.sidecar.otlp;

import java.util.Arrays;

/**
 * Counts of consecutive base-2 buckets: bucket {@code i} counts the values in {@code
 * (2^(i/2^scale), 2^((i+1)/2^scale)]}. Immutable but for owners of the array.
 *
 * <p>A coarser scale joins pairs of buckets, {@code i} and {@code i + 1} for even {@code i}, and
 * their edges are edges of the coarser one: no value changes its place but to a wider bucket around
 * it.
 *
 * @param scale -10 to 20
 * @param offset index of the first
 * @param counts 0 or more each
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them, and a list would box.
record Base2Buckets(int scale, int offset, long[] counts) {
  static final int COARSEST = -10;
  static final int FINEST = 20;

  /** Of an edge, in floating point; the next one is further away by far, at any scale. */
  private static final double ROUNDING = 1e-12;

  /** Index of the last, which fits an int as {@link PointReader} has checked. */
  int last() {
    return offset + counts.length - 1;
  }

  /** The same at a coarser scale; itself at its own, or a finer one. */
  Base2Buckets at(int coarser) {
    int shift = scale - coarser;
    if (shift <= 0) {
      return this;
    }
    if (counts.length == 0) {
      return new Base2Buckets(coarser, offset >> shift, counts);
    }
    int first = offset >> shift;
    long[] joined = new long[(last() >> shift) - first + 1];
    for (int i = 0; i < counts.length; i++) {
      int at = ((offset + i) >> shift) - first;
      joined[at] = added(joined[at], counts[i]);
    }
    return new Base2Buckets(coarser, first, joined);
  }

  /**
   * Takes out the buckets whose values are all at most a threshold, as they are no longer apart;
   * and empty ones up to the first that is not, as senders do.
   */
  Base2Buckets above(double threshold) {
    double most = threshold * (1 + ROUNDING);
    int first = 0;
    while (first < counts.length && (counts[first] == 0 || upperEdge(offset + first) <= most)) {
      first++;
    }
    return first == 0
        ? this
        : new Base2Buckets(scale, offset + first, Arrays.copyOfRange(counts, first, counts.length));
  }

  private double upperEdge(int index) {
    return Math.pow(2, Math.scalb(index + 1.0, -scale));
  }

  /** Sum of all counts; stays at {@link Long#MAX_VALUE} once there. */
  long total() {
    long total = 0;
    for (long count : counts) {
      total = added(total, count);
    }
    return total;
  }

  /** Of two counts, neither negative. */
  static long added(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
