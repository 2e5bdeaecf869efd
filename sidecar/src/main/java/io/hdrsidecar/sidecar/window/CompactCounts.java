package io.hdrsidecar.sidecar.window;

import io.hdrsidecar.interval.SparseCounts;

/**
 * The non-zero buckets of one step as LEB128 numbers, in turn the distance from the index before
 * and the count: two to four bytes a bucket, where counters take eight for every bucket of the
 * range. The array is kept and filled again when the ring of steps comes round.
 */
final class CompactCounts {
  /** A distance has at most 5 bytes, a count of 63 bits at most 9. */
  private static final int MAX_BUCKET_BYTES = 14;

  private static final int KEPT_BYTES = 256;
  private static final byte[] NONE = {};

  private byte[] bytes = NONE;
  private int length;

  /** Whether there are no counts. */
  boolean isEmpty() {
    return length == 0;
  }

  /** Forgets the counts and keeps the memory. */
  void clear() {
    length = 0;
  }

  /** Adds an interval's buckets to those already here. */
  void add(SparseCounts added, WindowScratch scratch) {
    SparseCounts mine = scratch.decoded();
    readInto(mine);
    byte[] out = scratch.encoded(Math.multiplyExact(mine.size() + added.size(), MAX_BUCKET_BYTES));
    int end = writeJoin(mine, added, out);
    ensureCapacity(end);
    System.arraycopy(out, 0, bytes, 0, end);
    length = end;
  }

  /** Sizes vary a little from interval to interval, so a fourth is spare; far too much is freed. */
  private void ensureCapacity(int needed) {
    boolean wasteful = bytes.length > KEPT_BYTES && bytes.length / 4 > needed;
    if (bytes.length < needed || wasteful) {
      bytes = new byte[(needed + needed / 4 + 31) & ~31];
    }
  }

  private static int writeJoin(SparseCounts a, SparseCounts b, byte[] out) {
    int end = 0;
    int previous = -1;
    int i = 0;
    int j = 0;
    while (i < a.size() || j < b.size()) {
      int indexA = i < a.size() ? a.indexAt(i) : Integer.MAX_VALUE;
      int indexB = j < b.size() ? b.indexAt(j) : Integer.MAX_VALUE;
      int index = Math.min(indexA, indexB);
      long count = 0;
      if (indexA == index) {
        count += a.countAt(i++);
      }
      if (indexB == index) {
        count += b.countAt(j++);
      }
      end = put(out, end, index - previous);
      end = put(out, end, count);
      previous = index;
    }
    return end;
  }

  private static int put(byte[] out, int at, long number) {
    long rest = number;
    int position = at;
    while (rest >>> 7 != 0) {
      out[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    out[position++] = (byte) rest;
    return position;
  }

  /** Replaces the contents of {@code target} by these buckets. */
  void readInto(SparseCounts target) {
    target.clear();
    int index = -1;
    boolean distance = true;
    long number = 0;
    int shift = 0;
    for (int position = 0; position < length; position++) {
      byte b = bytes[position];
      number |= (b & 0x7fL) << shift;
      shift += 7;
      if (b >= 0) {
        if (distance) {
          index += (int) number;
        } else {
          target.visit(index, number);
        }
        distance = !distance;
        number = 0;
        shift = 0;
      }
    }
  }

  /** Memory of the array, in bytes. */
  long allocatedBytes() {
    return bytes.length == 0 ? 0 : 16L + bytes.length;
  }
}
