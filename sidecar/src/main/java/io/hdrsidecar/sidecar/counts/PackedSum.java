package io.hdrsidecar.sidecar.counts;

import java.util.Arrays;

/**
 * Adds up lists of {@link PackedCounts}, however many: each bucket is read once into a table of
 * counters, and the sum is written from there. Joining lists two at a time would read and write the
 * sum of the first ones again with each of the others.
 *
 * <p>A bit for each counter in use leads from one to the next, so that a sum takes time in
 * proportion to its buckets, and to a small part the range they lie in. Made to be reused; one
 * thread. Memory: 8 bytes and a bit for each bucket up to the highest that was ever used.
 */
public final class PackedSum {
  /** A product of a power of two with this has the exponent's own pattern in its upper six bits. */
  private static final long DE_BRUIJN = 0x03f7_9d71_b4cb_0a89L;

  /** The exponent of each pattern. In the JVM of the image, C1 has no instruction for it. */
  private static final byte[] EXPONENTS = new byte[64];

  static {
    for (int exponent = 0; exponent < 64; exponent++) {
      EXPONENTS[(int) ((DE_BRUIJN << exponent) >>> 58)] = (byte) exponent;
    }
  }

  /** How far buckets lie apart that are read at once. */
  private static final int FURTHEST_AT_ONCE = PackedCounts.BUCKETS_AT_ONCE * Byte.MAX_VALUE;

  private long[] counts = new long[64];
  private long[] inUse = new long[1];
  private int lowest = Integer.MAX_VALUE;
  private int highest = -1;
  private long bytesAdded;

  /** Forgets what was added and not written, as when there was no memory for all of it. */
  public void clear() {
    if (bytesAdded > 0) {
      Arrays.fill(counts, 0);
      Arrays.fill(inUse, 0);
      setEmpty();
    }
  }

  private void setEmpty() {
    bytesAdded = 0;
    lowest = Integer.MAX_VALUE;
    highest = -1;
  }

  /**
   * Adds the buckets written there.
   *
   * @throws ArrayIndexOutOfBoundsException when there is something else
   */
  public void add(byte[] bytes, int start, int end) {
    bytesAdded += end - start;
    long[] counters = counts;
    long[] bits = inUse;
    int position = start;
    int index = -1;
    while (position < end) {
      long four = end - position >= Long.BYTES ? PackedCounts.longAt(bytes, position) : -1;
      if ((four & PackedCounts.CONTINUED) == 0
          && index >= 0
          && index + FURTHEST_AT_ONCE < counters.length) {
        for (int i = 0; i < PackedCounts.BUCKETS_AT_ONCE; i++) {
          index += (int) four & 0xff;
          counters[index] += four >>> Byte.SIZE & 0xff;
          bits[index >>> 6] |= 1L << index;
          four >>>= 2 * Byte.SIZE;
        }
        position += Long.BYTES;
        continue;
      }
      int distance = bytes[position++];
      if (distance < 0) {
        distance = (int) PackedCounts.longer(bytes, position);
        position += PackedCounts.bytesBehindFirst(distance);
      }
      long count = bytes[position++];
      if (count < 0) {
        count = PackedCounts.longer(bytes, position);
        position += PackedCounts.bytesBehindFirst(count);
      }
      boolean isFirst = index < 0;
      index += distance;
      if (index >= counters.length) {
        reach(index);
        counters = counts;
        bits = inUse;
      }
      if (isFirst) {
        lowest = Math.min(lowest, index);
      }
      counters[index] += count;
      bits[index >>> 6] |= 1L << index;
    }
    highest = Math.max(highest, index);
  }

  private void reach(int index) {
    long spare = counts.length + counts.length / 4L;
    int length = (int) Math.min((Math.max(index, spare) | 63) + 1, 1L << 30);
    long[] longer = Arrays.copyOf(counts, length);
    inUse = Arrays.copyOf(inUse, length >>> 6);
    counts = longer;
  }

  /**
   * Bytes that the sum may need: no more than what was added, as a bucket of several lists takes
   * one distance instead of several and a count no longer than the counts, and distances get
   * smaller; and no more than each bucket of the range.
   */
  public int maxBytes() {
    return (int) Math.min(bytesAdded, PackedCounts.maxBytes(highest + 1, highest + 1));
  }

  /**
   * Writes the sum as {@link PackedCounts} and forgets it.
   *
   * @param out has room for {@link #maxBytes} from {@code start} on
   * @return where it ends
   */
  public int writeTo(byte[] out, int start) {
    long[] counters = counts;
    long[] bits = inUse;
    int previous = -1;
    int end = start;
    for (int word = lowest >>> 6; word <= highest >> 6; word++) {
      long left = bits[word];
      if (left == 0) {
        continue;
      }
      bits[word] = 0;
      do {
        int index = (word << 6) + EXPONENTS[(int) (((left & -left) * DE_BRUIJN) >>> 58)];
        left &= left - 1;
        long count = counters[index];
        counters[index] = 0;
        end = PackedCounts.put(out, end, index - previous, count);
        previous = index;
      } while (left != 0);
    }
    setEmpty();
    return end;
  }
}
