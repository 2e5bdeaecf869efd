package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.series.Unit;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Where the buckets of one layout and unit belong: below which classic edge, and in which bucket of
 * a native histogram. Made once, so that a scrape only adds up ranges of counters.
 *
 * <p>A bucket goes, whole, where its highest value lies. So no value above a classic edge is ever
 * counted below it: the count of {@code le="e"} is exact for the highest bucket edge at or below
 * {@code e}, and what it leaves out lies less than one bucket (0.1 % with 3 digits) under it. And a
 * count moves up by at most one bucket of a native histogram, only if its own lies across an edge.
 * Counts of a bucket without an upper bound are below no classic edge, and in native histograms
 * where that bucket begins.
 *
 * <p>Immutable.
 */
final class BucketRanges {
  private final int[] ends;
  private final int[] classicRanges;
  private final int zeroRange;
  private final int[] nativeIndexes;
  private final int[] nativeRanges;

  /**
   * Ranges of a layout.
   *
   * @param edges classic edges in the base unit, ascending
   * @param withNative whether native buckets are wanted
   * @param schema of the native buckets
   */
  BucketRanges(BucketLayout layout, Unit unit, List<Double> edges, boolean withNative, int schema) {
    int[] classicEnds = edges.stream().mapToInt(edge -> endAt(layout, limit(edge, unit))).toArray();
    int zeroEnd = layout.highestValueAt(0) == 0 ? 1 : 0;
    List<Integer> indexes = new ArrayList<>();
    List<Integer> nativeEnds = new ArrayList<>();
    int bucketsInAll = layout.indexOf(Long.MAX_VALUE) + 1;
    for (int at = zeroEnd; withNative && at < bucketsInAll; ) {
      double highest = unit.toBaseUnit((double) placeOf(layout, at));
      int index = NativeSchema.indexOf(highest, schema);
      at = endAt(layout, unit, NativeSchema.upperBound(index, schema), at + 1, bucketsInAll);
      indexes.add(index);
      nativeEnds.add(at);
    }
    TreeSet<Integer> all = new TreeSet<>(nativeEnds);
    Arrays.stream(classicEnds).forEach(all::add);
    all.add(zeroEnd);
    all.add(Integer.MAX_VALUE);
    ends = all.stream().mapToInt(end -> end).toArray();
    classicRanges = Arrays.stream(classicEnds).map(this::rangesUpTo).toArray();
    zeroRange = rangesUpTo(zeroEnd);
    nativeIndexes = indexes.stream().mapToInt(index -> index).toArray();
    nativeRanges = nativeEnds.stream().mapToInt(this::rangesUpTo).toArray();
  }

  /**
   * Where the counts of a bucket go in base-2 buckets: its highest value. Of one without an upper
   * bound, the lowest, above 0: the largest value so far may be known, but counts would move when a
   * larger one comes.
   */
  static long placeOf(BucketLayout layout, int index) {
    long highest = layout.highestValueAt(index);
    return layout.isOpen() && highest == Long.MAX_VALUE
        ? Math.max(layout.lowestValueAt(index), 1)
        : highest;
  }

  /** In decimal, as the edge was written: 0.035 s are 35,000,000 ns and not one less. */
  private static long limit(double edge, Unit unit) {
    BigDecimal inUnit = BigDecimal.valueOf(edge).multiply(BigDecimal.valueOf(unit.perBaseUnit()));
    return inUnit
        .setScale(0, RoundingMode.FLOOR)
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .max(BigDecimal.valueOf(-1))
        .longValueExact();
  }

  /** The first bucket that reaches above a value. */
  private static int endAt(BucketLayout layout, long limit) {
    if (limit < 0) {
      return 0;
    }
    int index = layout.indexOf(limit);
    return layout.highestValueAt(index) > limit ? index : index + 1;
  }

  /** The first bucket, of those in between, that reaches above a bound of the base unit. */
  private static int endAt(BucketLayout layout, Unit unit, double bound, int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (unit.toBaseUnit((double) placeOf(layout, middle)) > bound) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private int rangesUpTo(int end) {
    return Arrays.binarySearch(ends, end) + 1;
  }

  /**
   * Adds counts of this layout.
   *
   * @param min smallest value counted; no range below it is looked at
   * @param max largest value counted; no range above it is looked at
   * @param classic receives what lies at or below each edge, and in the end all
   * @param nativeBuckets receives the native buckets, if they are wanted
   */
  void read(
      PagedCounts counts,
      long min,
      long max,
      long[] classic,
      NativeBuckets nativeBuckets,
      LongScratch scratch) {
    long[] upTo = scratch.zeroed(ends.length + 1);
    counts.addRangesTo(ends, upTo);
    int first = rangeOf(counts.layout().indexOf(min));
    int last = Math.max(first, rangeOf(counts.layout().indexOf(max)));
    for (int i = first + 1; i <= last; i++) {
      upTo[i] += upTo[i - 1];
    }
    for (int i = 0; i < classicRanges.length; i++) {
      classic[i] += upTo(classicRanges[i], first, last, upTo);
    }
    classic[classicRanges.length] += upTo[last];
    if (nativeIndexes.length > 0) {
      readNative(first, last, upTo, nativeBuckets);
    }
  }

  private void readNative(int first, int last, long[] upTo, NativeBuckets nativeBuckets) {
    long before = upTo(zeroRange, first, last, upTo);
    nativeBuckets.addZero(before);
    int found = Arrays.binarySearch(nativeRanges, first + 1);
    for (int i = found >= 0 ? found : -found - 1; i < nativeIndexes.length; i++) {
      long behind = upTo(nativeRanges[i], first, last, upTo);
      if (behind != before) {
        nativeBuckets.add(nativeIndexes[i], behind - before);
        before = behind;
      }
      if (nativeRanges[i] > last) {
        return;
      }
    }
  }

  /**
   * The count that lies in so many ranges, where only those from the first to the last hold any.
   */
  private static long upTo(int ranges, int first, int last, long[] upTo) {
    return ranges <= first ? 0 : upTo[Math.min(ranges - 1, last)];
  }

  private int rangeOf(int index) {
    int found = Arrays.binarySearch(ends, index);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** An array to add up in, reused from series to series. */
  static final class LongScratch {
    private long[] array = new long[64];

    long[] zeroed(int length) {
      if (array.length < length) {
        array = new long[length];
      } else {
        Arrays.fill(array, 0, length, 0);
      }
      return array;
    }
  }
}
