package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.http.HttpMemory;
import io.hdrsidecar.sidecar.log.JournalConfig;
import io.hdrsidecar.sidecar.log.JournalMemory;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.merge.StoreMemory;
import io.hdrsidecar.sidecar.receive.ReceiveMemory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The memory that a configuration allows, from the items of each stage. */
final class StatedMemory {
  private static final Logger LOG = System.getLogger(StatedMemory.class.getName());
  private static final int NAMED_ITEMS = 3;
  private static final long MIB = 1 << 20;

  private StatedMemory() {}

  /** Every stage that holds what clients send adds its items here. */
  static MemoryBound of(SidecarConfig config, HeapBudget heap) {
    List<List<MemoryItem>> stages = new ArrayList<>();
    stages.add(StoreMemory.items(config.merge()));
    stages.add(List.of(new MemoryItem("history", config.historyBytes(), "history.max-memory")));
    stages.add(ReceiveMemory.items(heap));
    stages.add(HttpMemory.items(config.http(), config.merge()));
    JournalConfig journal = config.journal();
    if (journal != null) {
      int connections = config.receive().limits().maxConnections();
      stages.add(JournalMemory.items(journal, config.merge(), connections));
    }
    return MemoryBound.of(stages);
  }

  /**
   * Says what the bound is, and, when series alone may hold more than the heap, what would lower
   * that. All else in the bound passes: it takes every connection in the middle of a longest frame,
   * upload or page at once, and is said without a warning.
   *
   * @param seriesBytes what series may hold for as long as they live
   */
  static void log(MemoryBound bound, long seriesBytes, long maxHeapBytes) {
    LOG.log(
        Level.DEBUG,
        "event=memory_bound bound={0} series={1} heap={2} most={3}",
        mebibytes(bound.totalBytes()),
        mebibytes(seriesBytes),
        mebibytes(maxHeapBytes),
        largest(bound));
    if (exceeds(seriesBytes, maxHeapBytes)) {
      LOG.log(
          Level.WARNING,
          "event=memory_bound_above_heap series={0} heap={1} clients could end this process; raise"
              + " -Xmx, or lower series.max-memory",
          mebibytes(seriesBytes),
          mebibytes(maxHeapBytes));
    }
  }

  /** Whether so much, held for good, does not fit beside what an idle sidecar holds. */
  static boolean exceeds(long bytes, long maxHeapBytes) {
    return bytes > maxHeapBytes - MemoryBound.LIVE_HEAP_BYTES;
  }

  private static String largest(MemoryBound bound) {
    return bound.largest(NAMED_ITEMS).stream()
        .map(i -> i.name() + "=" + mebibytes(i.maxBytes()) + " (" + i.why() + ")")
        .collect(Collectors.joining(", "));
  }

  private static String mebibytes(long bytes) {
    return bytes / MIB + "MiB";
  }
}
