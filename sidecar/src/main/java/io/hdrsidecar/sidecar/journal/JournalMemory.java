package io.hdrsidecar.sidecar.journal;

import static io.hdrsidecar.sidecar.memory.MemoryItem.plus;
import static io.hdrsidecar.sidecar.memory.MemoryItem.times;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import java.util.List;

/**
 * The memory that the journal may hold at most: a share of the heap, divided among limits that
 * follow from it. Of its sixteenths the queue has three, batches that are kept two, the text being
 * written two, definitions of series that have ended two, names of past series two, places of lines
 * three, and numbers of instances two.
 */
public final class JournalMemory {
  private static final int PARTS = 16;
  private static final long QUEUE_PARTS = 3;

  /** Batches double as they grow, and each record has an answer that waits for it. */
  public static final long BYTES_A_QUEUED_BYTE = 3;

  private static final long MOST_QUEUED_BYTES = 32L << 20;
  private static final long LEAST_QUEUED_BYTES = 64L << 10;

  private static final long SEQUENCE_BYTES = 256;
  private static final int SEQUENCES = SequenceMemory.STAYING + 1;

  /**
   * Of a line with every counter: a copy of the counts 15 bytes, encoded 12, in base64 and in the
   * text 12 and 15.
   */
  private static final long LINE_BYTES_A_COUNTER = 54;

  private JournalMemory() {}

  /** Items for these limits. */
  public static List<MemoryItem> items(JournalConfig config, MergeConfig merge, HeapBudget heap) {
    return List.of(
        new MemoryItem(
            "journal",
            bytes(config.maxQueuedBytes(), heap),
            "3 * journal.max-queued, and a share of the heap"),
        new MemoryItem(
            "journal_line",
            times(merge.maxCounters(), LINE_BYTES_A_COUNTER),
            "one line being written: series.max-counters * 54 bytes"));
  }

  private static long bytes(long maxQueuedBytes, HeapBudget heap) {
    long queueRoom = QUEUE_PARTS * part(heap);
    long queue = times(BYTES_A_QUEUED_BYTE, maxQueuedBytes);
    return plus(heap.share(Use.JOURNAL).maxBytes() - queueRoom, Math.max(queue, queueRoom));
  }

  /** The default of {@code journal.max-queued} in a heap of this size. */
  public static long maxQueuedBytes(long heapBytes) {
    long room = HeapBudget.shareBytes(Use.JOURNAL, heapBytes) / PARTS * QUEUE_PARTS;
    long bytes = Math.min(MOST_QUEUED_BYTES, room / BYTES_A_QUEUED_BYTE);
    return Math.max(LEAST_QUEUED_BYTES, bytes);
  }

  /** Of how many instances the numbers can be kept; the limit, if that is less. */
  public static int maxInstances(int limit, HeapBudget heap) {
    return (int) Math.min(limit, Math.max(1, 2 * part(heap) / (SEQUENCES * SEQUENCE_BYTES)));
  }

  static long part(HeapBudget heap) {
    return heap.share(Use.JOURNAL).maxBytes() / PARTS;
  }
}
