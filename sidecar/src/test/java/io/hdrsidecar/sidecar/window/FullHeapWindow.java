package io.hdrsidecar.sidecar.window;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import io.hdrsidecar.testing.FullHeap;

/** A program that adds an interval while its heap has no room for a step; run in its own JVM. */
final class FullHeapWindow {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final WindowSpec SPEC = WindowSpec.parse("1m");
  private static final long SECOND = 1_000_000_000;
  private static final int ATTEMPTS = 20;

  private FullHeapWindow() {}

  public static void main(String[] args) {
    PackingScratch scratch = new PackingScratch();
    IntervalCounts small = interval(0, 1, 2);
    IntervalCounts large = interval(1, 120, 1);
    RollingWindow other = new RollingWindow(SPEC, LAYOUT, scratch);
    addBothAndLetThemLeave(other, small, large); // the JVM itself needs memory for new code
    RollingWindow window = windowOf(small, scratch);
    boolean refused = refusesOnFullHeap(window, large);
    // On a busy machine threads of the JVM may give memory back a moment after the heap was full.
    for (int attempt = 1; attempt < ATTEMPTS && !refused; attempt++) {
      window = windowOf(small, scratch);
      refused = refusesOnFullHeap(window, large);
    }

    String held =
        window.counts().total() + " " + window.sumMinMax().sum() + " " + window.sumMinMax().max();
    window.advance(161 * SECOND);
    System.out.println("refused=" + refused + " held=" + held + " left=" + window.counts().total());
  }

  private static RollingWindow windowOf(IntervalCounts interval, PackingScratch scratch) {
    RollingWindow window = new RollingWindow(SPEC, LAYOUT, scratch);
    window.advance(100 * SECOND);
    window.add(interval);
    return window;
  }

  private static boolean refusesOnFullHeap(RollingWindow window, IntervalCounts interval) {
    FullHeap heap = FullHeap.fill();
    boolean refused = false;
    try {
      window.add(interval);
    } catch (OutOfMemoryError e) {
      refused = true;
    }
    heap.release();
    return refused;
  }

  private static void addBothAndLetThemLeave(
      RollingWindow window, IntervalCounts small, IntervalCounts large) {
    window.advance(100 * SECOND);
    window.add(small);
    window.add(large);
    window.advance(161 * SECOND);
  }

  private static IntervalCounts interval(int from, int to, long count) {
    SparseCounts counts = new SparseCounts();
    for (int index = from; index < to; index++) {
      counts.visit(index, count);
    }
    IntervalCounts interval = new IntervalCounts();
    interval.set(counts, SumMinMax.of(0, counts.total(), true, from, to));
    interval.place(100 * SECOND, SECOND);
    interval.packed();
    return interval;
  }
}
