package io.hdrsidecar.sidecar.window;

import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackedCounts;
import io.hdrsidecar.sidecar.counts.PackedSum;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What was recorded in one step of a window: enough to take it out again exactly.
 *
 * <p>The buckets are {@link PackedCounts}. Most steps have one interval, whose bytes are copied as
 * they are. Others are put behind the first, each after its length, up to twice the bytes of the
 * first and a little; then all are added together and take the place of the first. So a step takes
 * memory in proportion to its non-zero buckets, however many intervals it has, and of many
 * intervals each is added to others a few times only.
 *
 * <p>One object, with its sum in it, since a processor must fetch each object of each series from
 * memory, and each would take 16 bytes more. The array is kept and filled again when the ring of
 * steps comes round.
 */
final class Step {
  /** Object header and fields. */
  private static final long OBJECT_BYTES = 64;

  private static final long ARRAY_BYTES = 16;

  /** An array up to this length is kept, whatever it is needed for. */
  private static final int KEPT_BYTES = 256;

  /** So much may follow the first however small it is. */
  private static final int LITTLE = 64;

  private static final byte[] NONE = {};

  /** Length of what follows. */
  private static final VarHandle LENGTH =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = NONE;
  private int length;

  /** Where the first ends. */
  private int firstEnd;

  private long sumHigh;
  private long sumLow;
  private long min = Long.MAX_VALUE;
  private long max;
  private boolean sumExact = true;

  /** Whether there are no counts. */
  boolean isEmpty() {
    return length == 0;
  }

  /** Forgets everything and keeps the memory. */
  void clear() {
    length = 0;
    firstEnd = 0;
    sumHigh = 0;
    sumLow = 0;
    sumExact = true;
    min = Long.MAX_VALUE;
    max = 0;
  }

  /** Adds an interval to those already here; without the memory for it, nothing. */
  void add(IntervalCounts interval, PackingScratch scratch) {
    byte[] packed = interval.packed();
    int added = interval.packedLength();
    if (length == 0) {
      setFirst(packed, added);
    } else if (length + Integer.BYTES + added <= 2L * firstEnd + LITTLE) {
      append(packed, added);
    } else {
      join(packed, added, scratch);
    }
    SumMinMax sumMinMax = interval.sumMinMax();
    long low = sumLow + sumMinMax.sum().low();
    sumHigh += sumMinMax.sum().high() + (Long.compareUnsigned(low, sumLow) < 0 ? 1 : 0);
    sumLow = low;
    sumExact &= sumMinMax.isSumExact();
    min = Math.min(min, sumMinMax.min());
    max = Math.max(max, sumMinMax.max());
  }

  /**
   * Sizes vary a little from interval to interval, so a sixteenth is spare; far too much is freed.
   */
  private void setFirst(byte[] packed, int needed) {
    boolean wasteful = bytes.length > KEPT_BYTES && bytes.length / 4 > needed;
    if (bytes.length < needed || wasteful) {
      bytes = new byte[wholeLongs(needed + needed / 16)];
    }
    System.arraycopy(packed, 0, bytes, 0, needed);
    length = needed;
    firstEnd = needed;
  }

  /** As an array takes them anyway. */
  private static int wholeLongs(int least) {
    return (least + Long.BYTES - 1) & -Long.BYTES;
  }

  private void append(byte[] packed, int added) {
    int start = length + Integer.BYTES;
    int end = start + added;
    if (bytes.length < end) {
      byte[] longer = new byte[wholeLongs(end)];
      System.arraycopy(bytes, 0, longer, 0, length);
      bytes = longer;
    }
    LENGTH.set(bytes, length, added);
    System.arraycopy(packed, 0, bytes, start, added);
    length = end;
  }

  private void join(byte[] packed, int added, PackingScratch scratch) {
    PackedSum all = scratch.sum();
    all.clear();
    all.add(bytes, 0, firstEnd);
    for (int end = firstEnd; end < length; ) {
      int start = end + Integer.BYTES;
      end = start + (int) LENGTH.get(bytes, end);
      all.add(bytes, start, end);
    }
    all.add(packed, 0, added);
    byte[] sum = scratch.bytes(all.maxBytes());
    setFirst(sum, all.writeTo(sum, 0));
  }

  /** Takes everything that was added here out of a running sum, and forgets it. */
  void takeFrom(PagedCounts counts, ExactSum sum, PackingScratch scratch) {
    SparseCounts one = scratch.decoded();
    PackedCounts.read(bytes, 0, firstEnd, one);
    counts.subtract(one);
    for (int end = firstEnd; end < length; ) {
      int start = end + Integer.BYTES;
      end = start + (int) LENGTH.get(bytes, end);
      PackedCounts.read(bytes, start, end, one);
      counts.subtract(one);
    }
    sum.subtract(sumHigh, sumLow);
    clear();
  }

  boolean isSumExact() {
    return sumExact;
  }

  /** Smallest value, or {@link Long#MAX_VALUE} while there is none. */
  long min() {
    return min;
  }

  /** Largest value, or 0 while there is none. */
  long max() {
    return max;
  }

  /** Memory of this object and its array. */
  long allocatedBytes() {
    return OBJECT_BYTES + (bytes.length == 0 ? 0 : ARRAY_BYTES + bytes.length);
  }
}
