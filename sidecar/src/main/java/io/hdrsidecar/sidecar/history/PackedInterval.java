package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.interval.Accumulation;
import io.hdrsidecar.interval.SparseCounts;
import io.hdrsidecar.sidecar.window.IntervalCounts;

/**
 * An interval's figures and buckets, as one array of bytes and back. A flyweight; one thread at a
 * time.
 *
 * <pre>
 * LEB128 numbers, 7 bits a byte, lowest first, the 8th bit set on all but the last:
 *   number of its first record in the journal; 0 without a journal
 *   number of its last record - number of its first
 *   intervals that were added together - 1
 *   count of all values
 *   upper 64 bits of the sum, doubled, plus 1 if the sum was derived from buckets
 *   lower 64 bits of the sum
 *   minimum
 *   maximum - minimum
 *   for each non-zero bucket in ascending order: index - index before (-1 at first), count
 * </pre>
 *
 * <p>The count is the sum of the counts; it stands before them for who asks for figures only. Most
 * buckets take 2 bytes; HdrHistogram's encoding takes about as many, and has none of the figures.
 *
 * <p>Two packed intervals added together are never longer than both: a bucket in both takes one
 * index instead of two and a count no longer than the two counts, and the distances get smaller;
 * and a distance between records is below the higher number plus its own distance. The same goes
 * for the count of all.
 */
final class PackedInterval {
  private static final int MAX_FIGURES_BYTES = 8 * 10;
  private static final int MAX_BUCKET_BYTES = 5 + 9;

  private final SparseCounts counts = new SparseCounts();
  private long firstRecord;
  private long lastRecord;
  private long merged;
  private long sumHigh;
  private long sumLow;
  private boolean sumExact;
  private long min;
  private long max;
  private int position;

  /** Bytes that {@link #pack} may need at most. */
  static int maxBytes(int buckets) {
    return Math.addExact(MAX_FIGURES_BYTES, Math.multiplyExact(buckets, MAX_BUCKET_BYTES));
  }

  /**
   * Takes over a copy of an interval with at least one value.
   *
   * @param record its number in the journal; 0 for none
   */
  void set(IntervalCounts interval, long record) {
    firstRecord = record;
    lastRecord = record;
    merged = 1;
    counts.clear();
    SparseCounts from = interval.counts();
    for (int i = 0; i < from.size(); i++) {
      counts.visit(from.indexAt(i), from.countAt(i));
    }
    sumHigh = interval.sumHigh();
    sumLow = interval.sumLow();
    sumExact = interval.isSumExact();
    min = interval.min();
    max = interval.max();
  }

  /** Becomes what was packed there. */
  void unpack(byte[] bytes) {
    position = 0;
    counts.clear();
    firstRecord = next(bytes);
    lastRecord = firstRecord + next(bytes);
    merged = next(bytes) + 1;
    next(bytes); // the count of all
    long first = next(bytes);
    sumHigh = first >>> 1;
    sumExact = (first & 1) == 0;
    sumLow = next(bytes);
    min = next(bytes);
    max = min + next(bytes);
    int index = -1;
    while (position < bytes.length) {
      index += (int) next(bytes);
      counts.visit(index, next(bytes));
    }
  }

  /** Lowest number that one of its intervals has in the journal; 0 for none. */
  static long firstRecordOf(byte[] bytes) {
    return numberAt(bytes, 0);
  }

  /** Highest number that one of its intervals has in the journal; 0 for none. */
  static long lastRecordOf(byte[] bytes) {
    return firstRecordOf(bytes) + numberAt(bytes, 1);
  }

  /** How many intervals were added together. */
  static long mergedOf(byte[] bytes) {
    return numberAt(bytes, 2) + 1;
  }

  /** The count of what is packed there. O(1). */
  static long countOf(byte[] bytes) {
    return numberAt(bytes, 3);
  }

  /** The greatest value of what is packed there. O(1). */
  static long maxOf(byte[] bytes) {
    return numberAt(bytes, 6) + numberAt(bytes, 7);
  }

  private static long numberAt(byte[] bytes, int place) {
    int at = 0;
    for (int before = 0; before < place; at++) {
      before += bytes[at] >= 0 ? 1 : 0;
    }
    long number = bytes[at] & 0x7fL;
    for (int shift = 7; bytes[at] < 0; shift += 7) {
      number |= (bytes[++at] & 0x7fL) << shift;
    }
    return number;
  }

  private long next(byte[] bytes) {
    long number = 0;
    int shift = 0;
    byte b;
    do {
      b = bytes[position++];
      number |= (b & 0x7fL) << shift;
      shift += 7;
    } while (b < 0);
    return number;
  }

  /** Becomes the sum of two others of one layout. */
  void setSum(PackedInterval a, PackedInterval b) {
    counts.clear();
    SparseCounts x = a.counts;
    SparseCounts y = b.counts;
    int i = 0;
    int j = 0;
    while (i < x.size() && j < y.size()) {
      int order = x.indexAt(i) - y.indexAt(j);
      if (order == 0) {
        counts.visit(x.indexAt(i), x.countAt(i++) + y.countAt(j++));
      } else if (order < 0) {
        counts.visit(x.indexAt(i), x.countAt(i++));
      } else {
        counts.visit(y.indexAt(j), y.countAt(j++));
      }
    }
    for (; i < x.size(); i++) {
      counts.visit(x.indexAt(i), x.countAt(i));
    }
    for (; j < y.size(); j++) {
      counts.visit(y.indexAt(j), y.countAt(j));
    }
    sumLow = a.sumLow + b.sumLow;
    boolean carry = Long.compareUnsigned(sumLow, a.sumLow) < 0;
    sumHigh = a.sumHigh + b.sumHigh + (carry ? 1 : 0);
    sumExact = a.sumExact && b.sumExact;
    min = Math.min(a.min, b.min);
    max = Math.max(a.max, b.max);
    firstRecord = Math.min(a.firstRecord, b.firstRecord);
    lastRecord = Math.max(a.lastRecord, b.lastRecord);
    merged = a.merged + b.merged;
  }

  /**
   * Writes this down.
   *
   * @param out of at least {@link #maxBytes} for {@link #buckets}
   * @return how many bytes were written
   */
  int pack(byte[] out) {
    position = 0;
    put(out, firstRecord);
    put(out, lastRecord - firstRecord);
    put(out, merged - 1);
    put(out, counts.total());
    put(out, sumHigh << 1 | (sumExact ? 0 : 1));
    put(out, sumLow);
    put(out, min);
    put(out, max - min);
    int before = -1;
    for (int i = 0; i < counts.size(); i++) {
      put(out, counts.indexAt(i) - before);
      put(out, counts.countAt(i));
      before = counts.indexAt(i);
    }
    return position;
  }

  private void put(byte[] out, long number) {
    long rest = number;
    while (rest >>> 7 != 0) {
      out[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    out[position++] = (byte) rest;
  }

  /** Number of non-zero buckets. */
  int buckets() {
    return counts.size();
  }

  /** Adds this to a sum of equal layout. */
  void addTo(Accumulation sum) {
    sum.add(counts, sumHigh, sumLow, min, max);
  }

  /** Whether the sum was counted, not derived from the buckets. */
  boolean isSumExact() {
    return sumExact;
  }
}
