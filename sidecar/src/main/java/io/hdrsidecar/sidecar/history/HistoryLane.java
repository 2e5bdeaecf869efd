package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.BucketLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;

/**
 * The intervals of one series in one bucket layout, in the order of their starts. Counts of another
 * layout have a lane of their own and are never added to these.
 *
 * <p>Each interval is an array of bytes that never changes once a reader has it; a reader copies
 * references under the version of its series and unpacks them at leisure. Writer: the thread of the
 * {@link History}.
 *
 * <p>The writer writes over an array only where {@link #isLent} is false. A reader notes the
 * version, says that it is lent, and looks at the version again; the writer changes the version,
 * and looks whether it is lent. Each has a full fence in between, so one of them sees the other:
 * the reader drops its copy, or the writer leaves the array alone.
 */
public final class HistoryLane {
  /** Object header and length of an array. */
  private static final int ARRAY_BYTES = 16;

  /** Start, end and reference of an interval. */
  private static final int SLOT_BYTES = 2 * Long.BYTES + 4;

  private static final int LEAST_SLOTS = 4;
  private static final long[] NO_TIMES = {};
  private static final byte[][] NOTHING = {};

  private final BucketLayout layout;
  private final WriteGuard guard;
  private long[] starts = NO_TIMES;
  private long[] ends = NO_TIMES;
  private byte[][] packed = NOTHING;
  private int head;
  private int size;
  private long lostTo = Long.MIN_VALUE;

  /** Whether a reader may have one of the arrays. Set by readers, unset by the writer. */
  private volatile boolean isLent;

  /** Place in the list of the history; -1 while it is not there. */
  int place = -1;

  /**
   * An empty lane.
   *
   * @param guard of the series that it belongs to
   */
  public HistoryLane(BucketLayout layout, WriteGuard guard) {
    this.layout = layout;
    this.guard = guard;
  }

  int size() {
    return size;
  }

  long startAt(int i) {
    return starts[head + i];
  }

  long endAt(int i) {
    return ends[head + i];
  }

  byte[] packedAt(int i) {
    return packed[head + i];
  }

  /** Memory of one packed interval, its slot not included. */
  static long bytesOf(int length) {
    return ARRAY_BYTES + ((length + 7L) & ~7L);
  }

  /** Memory of the slots. */
  long slotBytes() {
    return slotBytes(packed.length);
  }

  private static long slotBytes(int slots) {
    return slots == 0 ? 0 : 3L * ARRAY_BYTES + (long) slots * SLOT_BYTES;
  }

  /** How much memory more the slots take if one interval is added. */
  long growthBytes() {
    return size < packed.length ? 0 : slotBytes(grown()) - slotBytes();
  }

  private int grown() {
    return Math.max(LEAST_SLOTS, size + size / 2);
  }

  /** Where an interval with this start belongs: behind those that start no later. */
  int placeOf(long start) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (startAt(middle) <= start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  void insert(int i, long start, long end, byte[] bytes) {
    guard.beginWrite();
    try {
      makeSlot(i);
      starts[head + i] = start;
      ends[head + i] = end;
      packed[head + i] = bytes;
    } finally {
      guard.endWrite();
    }
  }

  /** Frees the slot at {@code i}; what lies behind moves up. */
  private void makeSlot(int i) {
    if (size == packed.length) {
      int slots = grown();
      long[] newStarts = Arrays.copyOfRange(starts, head, head + slots);
      long[] newEnds = Arrays.copyOfRange(ends, head, head + slots);
      byte[][] newPacked = Arrays.copyOfRange(packed, head, head + slots);
      starts = newStarts;
      ends = newEnds;
      packed = newPacked;
      head = 0;
    } else if (head + size == packed.length) {
      move(head, 0, size);
      head = 0;
    }
    move(head + i, head + i + 1, size - i);
    size++;
  }

  private void move(int from, int to, int count) {
    System.arraycopy(starts, from, starts, to, count);
    System.arraycopy(ends, from, ends, to, count);
    System.arraycopy(packed, from, packed, to, count);
  }

  /** Puts fewer intervals in the place of some; what lies before moves up. */
  void replace(int from, int to, Segment by) {
    int gap = to - from - by.size();
    guard.beginWrite();
    try {
      for (int i = 0; i < by.size(); i++) {
        int slot = head + from + gap + i;
        starts[slot] = by.startAt(i);
        ends[slot] = by.endAt(i);
        packed[slot] = by.packedAt(i);
      }
      move(head, head + gap, from);
      Arrays.fill(packed, head, head + gap, null);
      head += gap;
      size -= gap;
    } finally {
      guard.endWrite();
    }
  }

  /** Gives slots back that many additions of neighbours have left over. */
  void shrink() {
    if (size < packed.length / 4 && packed.length > LEAST_SLOTS) {
      int slots = Math.max(LEAST_SLOTS, size * 2);
      guard.beginWrite();
      try {
        starts = Arrays.copyOfRange(starts, head, head + slots);
        ends = Arrays.copyOfRange(ends, head, head + slots);
        packed = Arrays.copyOfRange(packed, head, head + slots);
        head = 0;
      } finally {
        guard.endWrite();
      }
    }
  }

  /** Puts another in the place of the only one. */
  void replaceOnly(long start, long end, byte[] bytes) {
    guard.beginWrite();
    try {
      starts[head] = start;
      ends[head] = end;
      packed[head] = bytes;
      isLent = false;
    } finally {
      guard.endWrite();
    }
  }

  /**
   * Puts another in the place of the only one, and in its array, which is as long or longer.
   *
   * @return false if a reader may have that array; it is as it was
   */
  boolean overwriteOnly(long start, long end, byte[] bytes, int length) {
    guard.beginWrite();
    try {
      VarHandle.fullFence();
      if (isLent) {
        return false;
      }
      byte[] array = packed[head];
      System.arraycopy(bytes, 0, array, 0, length);
      Arrays.fill(array, length, array.length, (byte) 0);
      starts[head] = start;
      ends[head] = end;
      return true;
    } finally {
      guard.endWrite();
    }
  }

  /** Gives everything back. */
  void clear() {
    guard.beginWrite();
    try {
      starts = NO_TIMES;
      ends = NO_TIMES;
      packed = NOTHING;
      head = 0;
      size = 0;
    } finally {
      guard.endWrite();
    }
  }

  /** An interval is given up, or was never taken in, as memory was short. */
  void lose(long endMillis) {
    guard.beginWrite();
    try {
      lostTo = Math.max(lostTo, endMillis);
    } finally {
      guard.endWrite();
    }
  }

  /** All are about to be given up. */
  void loseAll() {
    for (int i = 0; i < size; i++) {
      lose(endAt(i));
    }
  }

  /** When the last of those ended that were given up; before any time for none. A reader's. */
  public long lostTo() {
    return lostTo;
  }

  /** How many values the intervals have. O(intervals). A reader's, as {@link #copyTo}. */
  public long count() {
    long count = 0;
    for (int i = 0; i < size; i++) {
      count += PackedInterval.countOf(packedAt(i));
    }
    return count;
  }

  /** Memory of everything here. */
  long bytes() {
    long bytes = slotBytes();
    for (int i = 0; i < size; i++) {
      bytes += bytesOf(packedAt(i).length);
    }
    return bytes;
  }

  /**
   * From the first start to the end of the interval that started last. A reader's, as {@link
   * #copyTo}.
   */
  public HistoryExtent extent() {
    return size == 0 ? HistoryExtent.EMPTY : new HistoryExtent(startAt(0), endAt(size - 1));
  }

  /**
   * Adds references to the intervals that overlap the range, while there are fewer than the limit.
   * A reader's; what it gives is only good if the version of the series has not changed meanwhile,
   * and otherwise it may throw any RuntimeException.
   */
  public void copyTo(List<KeptInterval> into, long fromMillis, long toMillis, long limit) {
    isLent = true;
    VarHandle.fullFence();
    for (int i = 0; i < size && into.size() < limit; i++) {
      long start = startAt(i);
      long end = endAt(i);
      boolean begins = start < toMillis;
      boolean overlaps = end > fromMillis || (start == end && start >= fromMillis);
      if (begins && overlaps) {
        into.add(new KeptInterval(layout, start, end, packedAt(i)));
      }
    }
  }
}
