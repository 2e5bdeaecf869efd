package io.hdrsidecar.tests.support;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;

/** Sidecars in a heap of just the size that they state to need. */
public final class StatedHeap {
  /** What a JVM takes besides: code, threads, buffers outside the heap, the collector's tables. */
  public static final long JVM_BYTES = 256L << 20;

  private StatedHeap() {}

  private static final Set<String> SHARES =
      Set.of("ingest", "http", "scrapes", "queries", "uploads", "journal");

  private static final long IDLE_BYTES = 12L << 20;
  private static final long LEAST_MIB = 48;
  private static final long ASKED_MIB = 256;

  /** Asks a first sidecar with these options for its bound, and starts a second one in it. */
  public static SidecarProcess start(Processes processes, List<String> options) throws Exception {
    SidecarProcess asked = processes.sidecarInJvm(List.of("-Xmx" + ASKED_MIB + "m"), options);
    JsonObject memory = asked.status().getJsonObject("memory");
    asked.kill();
    // The serial collector keeps a part of -Xmx to itself, which nothing can be held in.
    double mibOfByte = (double) ASKED_MIB / memory.getLong("heapMaxBytes");
    long heapMib = Math.max(LEAST_MIB, (long) (heapOf(memory) * mibOfByte) + 1);
    return processes.sidecarInJvm(List.of("-Xmx" + heapMib + "m"), options);
  }

  /** Items with a number of their own, and shares that are as many percent of any heap. */
  private static long heapOf(JsonObject memory) {
    double shares = 0;
    long own = 0;
    JsonArray items = memory.getJsonArray("items");
    for (int i = 0; i < items.size(); i++) {
      long bytes = items.getJsonObject(i).getLong("maxBytes");
      if (SHARES.contains(items.getJsonObject(i).getString("name"))) {
        shares += (double) bytes / (memory.getLong("heapMaxBytes") - IDLE_BYTES);
      } else {
        own += bytes;
      }
    }
    return (long) ((own - shares * IDLE_BYTES) / (1 - shares));
  }
}
