package io.hdrsidecar.tests.support;

import io.vertx.core.json.JsonObject;
import java.util.List;

/** Sidecars in a heap of just the size that they state to need. */
public final class StatedHeap {
  /** What a JVM takes besides: code, threads, buffers outside the heap, the collector's tables. */
  public static final long JVM_BYTES = 256L << 20;

  private StatedHeap() {}

  /** Asks a first sidecar with these options for its bound, and starts a second one in it. */
  public static SidecarProcess start(Processes processes, List<String> options) throws Exception {
    SidecarProcess asked = processes.sidecarInJvm(List.of(), options);
    JsonObject memory = asked.status().getJsonObject("memory");
    long heap = memory.getLong("boundBytes") + memory.getLong("baseHeapBytes");
    asked.kill();
    return processes.sidecarInJvm(List.of("-Xmx" + ((heap >> 20) + 1) + "m"), options);
  }
}
