package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.testing.FullHeap;

/** A program that records and harvests while its heap has no room; run in a JVM of its own. */
final class FullHeapRecorder {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 5);

  /** More than a thread keeps before it counts them. */
  static final int VALUES = 400;

  /** The one it has before. */
  static final int KEPT_VALUES = OwnedValues.CAPACITY - 1;

  private FullHeapRecorder() {}

  public static void main(String[] args) {
    SeriesRecorder recorder = new SeriesRecorder(LAYOUT, 1L << 62);
    Accumulation roomless = new Accumulation(LAYOUT);
    Accumulation harvest = new Accumulation(LAYOUT);
    linkAllCode();
    recorder.record(1); // from now on there is room for this thread's values
    recorder.add(1, 2); // and this counter is there
    FullHeap heap = FullHeap.fill();
    for (int i = 0; i < VALUES; i++) {
      recorder.record(value(i)); // each on a page of its own, for which there is no room
    }
    recorder.record(1);
    long movedWithoutRoom = recorder.harvestInto(roomless);
    heap.release();

    long moved = recorder.harvestInto(harvest);
    System.out.println(
        "lost="
            + recorder.lostForMemory()
            + " movedWithoutRoom="
            + movedWithoutRoom
            + " moved="
            + moved
            + " sum="
            + harvest.sum()
            + " max="
            + harvest.max());
  }

  static long value(int i) {
    return (1L << 40) + ((long) i << 32);
  }

  /** The JVM itself needs memory when code runs for the first time. */
  private static void linkAllCode() {
    SeriesRecorder other = new SeriesRecorder(LAYOUT, 1L << 62);
    for (int i = 0; i < VALUES; i++) {
      other.record(value(i));
    }
    other.add(7, 2);
    other.add(7, 2);
    other.harvestInto(new Accumulation(LAYOUT));
  }
}
