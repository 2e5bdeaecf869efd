package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.sidecar.memory.MemoryItem.plus;
import static io.hdrsidecar.sidecar.memory.MemoryItem.times;

import io.hdrsidecar.interval.Labels;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import java.util.List;

/** What clients may make the ingest servers hold. */
public final class ReceiveMemory {
  /** Connections that are being refused linger beside those that are served. */
  private static final int CONNECTIONS_A_PLACE = 2;

  /** Socket, usual buffer, and a read that waits. */
  private static final long SOCKET_BYTES = FrameRoom.TLS_CONNECTION_BYTES + FrameRoom.READ_BYTES;

  /** Slots of a table less than half full, and its old self while it grows. */
  private static final long SLOT_BYTES = 48;

  /** What an id keeps of a series that ended and is forgotten: the registration and its layout. */
  private static final long FORGOTTEN_BYTES = 104;

  private static final long INSTANCE_BYTES = 288;
  private static final long FIGURES_BYTES = 4096;
  private static final long COMMON_LABELS_BYTES =
      Labels.MAX_LABELS * (2L * 2 * Labels.MAX_LENGTH + 136) + 160;

  private ReceiveMemory() {}

  /** Items for these limits. */
  public static List<MemoryItem> items(ReceiveLimits limits) {
    long connections = (long) CONNECTIONS_A_PLACE * limits.maxConnections();
    long ids = plus(limits.maxSeriesIds(), times(limits.maxConnections(), IdBudget.RESERVED_IDS));
    long allIds = Math.min(ids, times(limits.maxConnections(), limits.maxSeriesPerConnection()));
    return List.of(
        new MemoryItem(
            "connections",
            Math.min(
                HeapBudget.shareBytes(Use.INGEST, Runtime.getRuntime().maxMemory()),
                times(connections, plus(times(2, limits.maxBodyBytes()), SOCKET_BYTES))),
            "connections and frames that are not whole: a share of the heap, or"
                + " 2 * ingest.max-connections * (2 * ingest.max-body + 90 KiB)"),
        new MemoryItem(
            "common_labels", times(connections, COMMON_LABELS_BYTES), "2 * ingest.max-connections"),
        new MemoryItem(
            "series_ids",
            times(allIds, SLOT_BYTES + FORGOTTEN_BYTES),
            "ingest.max-series-ids and the first 1024 of each connection; 48 bytes each, and 104"
                + " more if each is of a series of its own that has ended"),
        new MemoryItem(
            "instances",
            times(plus(times(3, limits.maxInstances()), times(2, connections)), INSTANCE_BYTES),
            "3 * ingest.max-instances, as after a start with a journal, and"
                + " 4 * ingest.max-connections"),
        new MemoryItem(
            "client_figures",
            times(limits.maxConnections(), FIGURES_BYTES + COMMON_LABELS_BYTES),
            "what ingest.max-connections clients say of themselves, and their common labels"));
  }
}
