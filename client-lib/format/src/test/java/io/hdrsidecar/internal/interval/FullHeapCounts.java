package io.hdrsidecar.internal.interval;

import io.hdrsidecar.testing.FullHeap;
import java.util.TreeMap;

/** A program that adds an interval while its heap has no room for a page; run in its own JVM. */
final class FullHeapCounts {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private FullHeapCounts() {}

  public static void main(String[] args) {
    SparseCounts before = new SparseCounts();
    before.visit(3, 5);
    before.visit(300, 1);
    before.visit(20_000, 2); // so that the table of pages is long enough
    SparseCounts interval = new SparseCounts();
    interval.visit(3, 7);
    interval.visit(4, 1);
    interval.visit(300, 1L << 20); // makes the page wider
    interval.visit(10_000, 1); // needs a new one
    linkAllCode(interval);
    SparseCounts narrow = new SparseCounts();
    narrow.visit(3, 7);
    narrow.visit(4, 1);
    narrow.visit(10_000, 1);
    PagedCounts counts = new PagedCounts(LAYOUT);
    counts.add(before);
    FullHeap heap = FullHeap.fill();
    int refused = refused(counts, interval) + refused(counts, narrow);
    heap.release();

    System.out.println("refused=" + refused + " " + counts.total() + text(counts));
    counts.add(interval);
    System.out.println("then=" + counts.total() + text(counts));
  }

  private static int refused(PagedCounts counts, SparseCounts interval) {
    try {
      counts.add(interval);
      return 0;
    } catch (OutOfMemoryError e) {
      return 1;
    }
  }

  private static String text(PagedCounts counts) {
    TreeMap<Integer, Long> buckets = new TreeMap<>();
    counts.forEach(buckets::put);
    return buckets.toString();
  }

  /** The JVM itself needs memory when code runs for the first time. */
  private static void linkAllCode(SparseCounts interval) {
    PagedCounts other = new PagedCounts(LAYOUT);
    other.add(interval);
    other.subtract(interval);
  }
}
