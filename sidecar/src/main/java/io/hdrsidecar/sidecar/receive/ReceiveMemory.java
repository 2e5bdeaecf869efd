package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import java.util.List;

/** The memory that clients may make the ingest servers hold. */
public final class ReceiveMemory {
  private ReceiveMemory() {}

  /** All of it is taken from one share of the heap, before it is allocated. */
  public static List<MemoryItem> items(HeapBudget heap) {
    return List.of(
        new MemoryItem(
            "ingest",
            heap.share(Use.INGEST).maxBytes(),
            "connections, frames that are not whole, series ids, instances, what clients say of"
                + " themselves, a spill file being read: a share of the heap"));
  }

  /**
   * Most instances that are remembered without a connection.
   *
   * @param limit as configured
   */
  public static int maxInstances(int limit, HeapBudget heap, boolean withJournal) {
    long shareBytes = heap.share(Use.INGEST).maxBytes();
    return Math.min(limit, IngestShares.maxInstances(shareBytes, withJournal));
  }

  /** The longest body of a frame for which there is room; longer ones are not taken. */
  public static long longestBody(HeapBudget heap) {
    return IngestShares.longestFrame(heap.share(Use.INGEST).maxBytes());
  }
}
