package io.hdrsidecar.sidecar.counts;

import io.hdrsidecar.internal.interval.Leb128;
import io.hdrsidecar.internal.interval.SparseCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Non-zero buckets as LEB128 numbers: in turn the distance from the index before (from -1 at first)
 * and the count. Most buckets take two bytes, where counters take eight for every bucket of the
 * range.
 *
 * <p>Every interval is written and, as many times as there are windows, read again. So a bucket
 * with a short distance and a small count, which nearly all are, costs one comparison and no loop;
 * four of them in a row are read with one comparison together.
 */
public final class PackedCounts {
  /** A distance of one byte, and a count of 63 bits. */
  private static final int SHORT_BUCKET_BYTES = 1 + 9;

  private static final int LEAST_LONG_DISTANCE = 128;

  /** A distance has at most 5 bytes. */
  private static final int LONGER_BYTES = 4;

  private static final int LEAST_BUCKET_BYTES = 2;

  /** As much as is spare where little is grown and all is kept: a quarter. */
  private static final int SPARE = 4;

  /** Of two bytes each, in a long. */
  static final int BUCKETS_AT_ONCE = Long.BYTES / LEAST_BUCKET_BYTES;

  /** Of each byte of a long, the bit that says that its number goes on. */
  static final long CONTINUED = 0x8080_8080_8080_8080L;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private PackedCounts() {}

  /** Bytes that these buckets may need at most. */
  public static int maxBytes(SparseCounts counts) {
    int size = counts.size();
    return size == 0 ? 0 : Math.toIntExact(maxBytes(size, counts.indexAt(size - 1) + 1));
  }

  /** Bytes that so many buckets within a range may need at most: distances add up to the range. */
  static long maxBytes(int buckets, int range) {
    int longDistances = Math.min(buckets, range / LEAST_LONG_DISTANCE);
    return (long) buckets * SHORT_BUCKET_BYTES + (long) longDistances * LONGER_BYTES;
  }

  /**
   * Writes buckets.
   *
   * @param out has room for {@link #maxBytes(SparseCounts)} from {@code start} on
   * @return where they end
   */
  public static int write(SparseCounts counts, byte[] out, int start) {
    int[] indexes = counts.indexes();
    long[] values = counts.counts();
    int size = counts.size();
    int previous = -1;
    int end = start;
    for (int i = 0; i < size; i++) {
      int index = indexes[i];
      end = put(out, end, index - previous, values[i]);
      previous = index;
    }
    return end;
  }

  static int put(byte[] out, int at, int distance, long count) {
    if ((distance | count) >>> 7 == 0) {
      out[at] = (byte) distance;
      out[at + 1] = (byte) count;
      return at + 2;
    }
    return Leb128.put(out, Leb128.put(out, at, distance), count);
  }

  /**
   * Adds two lists up, bucket by bucket, in one pass: cheaper for two than {@link PackedSum}, which
   * has a table between reading and writing.
   *
   * @param out has room from {@code start} on for as many bytes as both lists take
   * @return where the sum ends
   */
  public static int join(
      byte[] a, int aStart, int aEnd, byte[] b, int bStart, int bEnd, byte[] out, int start) {
    int atA = aStart;
    int atB = bStart;
    int end = start;
    int toA = 0; // from the bucket written last to the next of this list; 0 before that is read
    int toB = 0;
    long countA = 0;
    long countB = 0;
    while ((toA > 0 || atA < aEnd) && (toB > 0 || atB < bEnd)) {
      if (toA == 0) {
        toA = a[atA++];
        if (toA < 0) {
          toA = (int) longer(a, atA);
          atA += bytesBehindFirst(toA);
        }
        countA = a[atA++];
        if (countA < 0) {
          countA = longer(a, atA);
          atA += bytesBehindFirst(countA);
        }
      }
      if (toB == 0) {
        toB = b[atB++];
        if (toB < 0) {
          toB = (int) longer(b, atB);
          atB += bytesBehindFirst(toB);
        }
        countB = b[atB++];
        if (countB < 0) {
          countB = longer(b, atB);
          atB += bytesBehindFirst(countB);
        }
      }
      int distance = Math.min(toA, toB);
      long count = (toA == distance ? countA : 0) + (toB == distance ? countB : 0);
      toA -= distance;
      toB -= distance;
      if ((distance | count) >>> 7 == 0) { // As put does, which is too long for C1 to inline.
        out[end] = (byte) distance;
        out[end + 1] = (byte) count;
        end += 2;
      } else {
        end = put(out, end, distance, count);
      }
    }
    end = putRest(toA, countA, a, atA, aEnd, out, end);
    return putRest(toB, countB, b, atB, bEnd, out, end);
  }

  /** The bucket that was read and not written, if there is one, and those behind it. */
  private static int putRest(
      int distance, long count, byte[] from, int at, int atEnd, byte[] out, int start) {
    int end = distance == 0 ? start : put(out, start, distance, count);
    System.arraycopy(from, at, out, end, atEnd - at);
    return end + atEnd - at;
  }

  /** Replaces the contents of {@code into} by the buckets written from {@code start} on. */
  public static void read(byte[] bytes, int start, int end, SparseCounts into) {
    into.clear();
    int most = (end - start) / LEAST_BUCKET_BYTES;
    if (!into.hasRoomFor(most)) {
      int buckets = buckets(bytes, start, end);
      // With a little more there is no need to count them next time.
      into.reserve(most <= buckets + buckets / SPARE ? most : buckets);
    }
    int[] indexes = into.indexes();
    long[] counts = into.counts();
    int size = 0;
    long counted = 0;
    int position = start;
    int index = -1;
    while (position < end) {
      long four = end - position >= Long.BYTES ? longAt(bytes, position) : CONTINUED;
      if ((four & CONTINUED) == 0) {
        for (int i = 0; i < BUCKETS_AT_ONCE; i++) {
          index += (int) four & 0xff;
          indexes[size] = index;
          long count = four >>> Byte.SIZE & 0xff;
          counts[size] = count;
          counted += count;
          size++;
          four >>>= 2 * Byte.SIZE;
        }
        position += Long.BYTES;
        continue;
      }
      int distance = bytes[position++];
      if (distance < 0) {
        distance = (int) longer(bytes, position);
        position += bytesBehindFirst(distance);
      }
      long count = bytes[position++];
      if (count < 0) {
        count = longer(bytes, position);
        position += bytesBehindFirst(count);
      }
      index += distance;
      indexes[size] = index;
      counts[size] = count;
      counted += count; // They were counted before, so they add up.
      size++;
    }
    into.appended(size, counted);
  }

  static long longAt(byte[] bytes, int position) {
    return (long) LONG.get(bytes, position);
  }

  /**
   * A number of two bytes or more, of which the first one is before the position. Short enough for
   * C1 to inline: 35 bytes of bytecode.
   */
  static long longer(byte[] bytes, int position) {
    int number = (bytes[position - 1] & 0x7f) | (bytes[position] << 7);
    return number < 0 ? Leb128.get(bytes, position - 1) : number;
  }

  /** How many bytes {@link #longer} has read: of two, which nearly all have, without counting. */
  static int bytesBehindFirst(long number) {
    return number >>> 14 == 0 ? 1 : Leb128.length(number) - 1;
  }

  /** How many buckets are written there: large counts take up to five times the least bytes. */
  private static int buckets(byte[] bytes, int start, int end) {
    int numbers = 0;
    for (int i = start; i < end; i++) {
      numbers += 1 + (bytes[i] >> 7); // 0 for all bytes of a number but its last
    }
    return numbers / 2;
  }
}
