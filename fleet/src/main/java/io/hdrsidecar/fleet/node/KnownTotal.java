package io.hdrsidecar.fleet.node;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of the total of a series between the commits that write it, so that the others
 * need not read it. One thread.
 */
final class KnownTotal {
  /** Of an array, and its place in a list. */
  private static final long ENTRY_BYTES = 32;

  /** Far below where a count could overflow: beyond this the total itself is asked. */
  private static final long MOST_VALUES = 1L << 61;

  private final long mark;
  private final @Nullable BucketLayout layout;
  private long values;
  private boolean isBehind;
  private @Nullable List<byte[]> lacked;
  private long heldBytes;

  /**
   * As it was written.
   *
   * @param mark of the total
   * @param isBehind whether there are steps that have what it lacks
   */
  KnownTotal(long mark, SeriesSum total, boolean isBehind) {
    this.mark = mark;
    this.layout = total.onlyLayout();
    this.values = total.values();
    this.isBehind = isBehind;
    this.lacked = isBehind ? null : new ArrayList<>(0);
  }

  long mark() {
    return mark;
  }

  /** Whether steps have something that it lacks. */
  boolean isBehind() {
    return isBehind;
  }

  /** Whether this can be added to it later, whatever else comes: of its layout, and no overflow. */
  boolean hasRoomFor(SeriesSum sum) {
    return layout != null
        && layout.equals(sum.onlyLayout())
        && sum.values() < MOST_VALUES
        && values < MOST_VALUES;
  }

  /**
   * Steps have something more than it.
   *
   * @param sum as {@link SumBytes} has it
   * @param memory to remember that in; where there is none, steps have to be read
   */
  void fallBehind(byte[] sum, long more, HeapShare memory) {
    values += more;
    isBehind = true;
    if (lacked == null) {
      return;
    }
    long bytes = ENTRY_BYTES + sum.length;
    if (memory.tryTake(bytes)) {
      heldBytes += bytes;
      lacked.add(sum);
    } else {
      forget(memory);
      lacked = null;
    }
  }

  /** What it lacks, as {@link SumBytes} has it; null when that is not remembered. */
  @Nullable List<byte[]> lacked() {
    return lacked;
  }

  /** Gives the memory back. */
  void forget(HeapShare memory) {
    memory.release(heldBytes);
    heldBytes = 0;
  }
}
