package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.Leb128;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackedCounts;

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
 *   the non-zero buckets, as PackedCounts
 * then zeros where the array has room to spare: the last byte of the last count is none
 * </pre>
 *
 * <p>The count is the sum of the counts; it stands before them for a reader of figures only. Most
 * buckets take 2 bytes; HdrHistogram's encoding takes about as many, and has none of the figures.
 *
 * <p>Two packed intervals added together are never longer than both: a bucket in both takes one
 * index instead of two and a count no longer than the two counts, and the distances get smaller;
 * and a distance between records is below the higher number plus its own distance. The same goes
 * for the count of all.
 */
final class PackedInterval {
  private static final int MAX_FIGURES_BYTES = 8 * 10;

  private final SparseCounts counts = new SparseCounts();
  private final byte[] head = new byte[MAX_FIGURES_BYTES];
  private long firstRecord;
  private long lastRecord;
  private long merged;
  private long count;
  private final SumMinMax sumMinMax = new SumMinMax();
  private final SumMinMax before = new SumMinMax();
  private int position;

  /**
   * Packs an interval with at least one value into an array of its own. This becomes its figures,
   * without its buckets.
   *
   * @param record its number in the journal; 0 for none
   */
  byte[] pack(IntervalCounts interval, long record) {
    int buckets = putHead(interval, record);
    byte[] from = interval.packed();
    byte[] bytes = new byte[Math.addExact(buckets, interval.packedLength())];
    System.arraycopy(head, 0, bytes, 0, buckets);
    System.arraycopy(from, 0, bytes, buckets, interval.packedLength());
    return bytes;
  }

  /** As many bytes as {@link #pack} returns. This becomes the figures of the interval. */
  int bytesOf(IntervalCounts interval, long record) {
    return Math.addExact(putHead(interval, record), interval.packedLength());
  }

  private int putHead(IntervalCounts interval, long record) {
    firstRecord = record;
    lastRecord = record;
    merged = 1;
    count = interval.counts().total();
    sumMinMax.set(interval.sumMinMax());
    return putSumMinMax(head);
  }

  /** Becomes what was packed there. */
  void unpack(byte[] bytes) {
    unpackSumMinMax(bytes);
    PackedCounts.read(bytes, position, endOf(bytes), counts);
  }

  private void unpackSumMinMax(byte[] bytes) {
    position = 0;
    firstRecord = next(bytes);
    lastRecord = firstRecord + next(bytes);
    merged = next(bytes) + 1;
    count = next(bytes);
    long first = next(bytes);
    long low = next(bytes);
    long min = next(bytes);
    sumMinMax.set(first >>> 1, low, (first & 1) == 0, min, min + next(bytes));
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

  private static int endOf(byte[] bytes) {
    int end = bytes.length;
    while (bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  private static long numberAt(byte[] bytes, int place) {
    int at = 0;
    for (int before = 0; before < place; at++) {
      before += bytes[at] >= 0 ? 1 : 0;
    }
    return Leb128.get(bytes, at);
  }

  private long next(byte[] bytes) {
    int start = position;
    long number = Leb128.get(bytes, start);
    position = start + Leb128.length(number);
    return number;
  }

  /**
   * Adds two packed intervals of one layout. This becomes the figures of both, without buckets.
   *
   * @param out of at least {@link #maxBytes} of both
   * @return how many bytes were written
   */
  int join(byte[] a, byte[] b, byte[] out) {
    unpackSumMinMax(b);
    int buckets = position;
    return join(a, b, buckets, endOf(b), out);
  }

  /** The same of an interval that was not packed yet. */
  int join(byte[] a, IntervalCounts interval, long record, byte[] out) {
    putHead(interval, record);
    return join(a, interval.packed(), 0, interval.packedLength(), out);
  }

  /** Adds to the figures that are here, and to their buckets. */
  private int join(byte[] a, byte[] buckets, int start, int end, byte[] out) {
    long first = firstRecord;
    long last = lastRecord;
    long intervals = merged;
    long values = count;
    before.set(sumMinMax);
    unpackSumMinMax(a);
    count = Math.addExact(values, count);
    sumMinMax.add(before);
    firstRecord = Math.min(first, firstRecord);
    lastRecord = Math.max(last, lastRecord);
    merged += intervals;
    int head = putSumMinMax(out);
    return PackedCounts.join(a, position, endOf(a), buckets, start, end, out, head);
  }

  /** Bytes that {@link #join} may need for two that take so many. */
  static int maxBytes(int a, int b) {
    return Math.addExact(MAX_FIGURES_BYTES, Math.addExact(a, b));
  }

  private int putSumMinMax(byte[] out) {
    int at = Leb128.put(out, 0, firstRecord);
    at = Leb128.put(out, at, lastRecord - firstRecord);
    at = Leb128.put(out, at, merged - 1);
    at = Leb128.put(out, at, count);
    at = Leb128.put(out, at, sumMinMax.sum().high() << 1 | (sumMinMax.isSumExact() ? 0 : 1));
    at = Leb128.put(out, at, sumMinMax.sum().low());
    at = Leb128.put(out, at, sumMinMax.min());
    return Leb128.put(out, at, sumMinMax.max() - sumMinMax.min());
  }

  /** The buckets, once unpacked. */
  SparseCounts counts() {
    return counts;
  }

  SumMinMax sumMinMax() {
    return sumMinMax;
  }
}
