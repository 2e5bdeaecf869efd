package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import java.util.List;

/** The memory that those who ask may make the HTTP server hold. */
public final class HttpMemory {
  private HttpMemory() {}

  /** All of it is taken from shares of the heap, before it is allocated. */
  public static List<MemoryItem> items(HeapBudget heap) {
    return List.of(
        share(heap, Use.HTTP, "connections of HTTP and headers of requests"),
        share(heap, Use.SCRAPES, "pages for Prometheus being written or sent"),
        share(heap, Use.QUERIES, "answers, live streams, and what is read for them"),
        share(heap, Use.UPLOADS, "bodies of uploads, and what is decoded of one"));
  }

  private static MemoryItem share(HeapBudget heap, Use use, String what) {
    return new MemoryItem(use.label(), heap.share(use).maxBytes(), what + ": a share of the heap");
  }
}
