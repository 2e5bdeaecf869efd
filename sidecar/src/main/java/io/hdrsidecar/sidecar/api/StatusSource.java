package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.memory.MemoryBound;
import java.time.Instant;
import java.util.Map;

/** The state of the process that the server runs in. Any thread. */
public interface StatusSource {
  /** Version of the build. */
  String version();

  /** When the process started to count. */
  Instant startedAt();

  /** The memory that all stages together may hold at most. */
  MemoryBound memoryBound();

  /** The settings in force, by key, without secrets. */
  Map<String, String> config();

  /**
   * Whether clients and scrapes are served; false while starting and stopping, and while nothing
   * that clients send could be acknowledged.
   */
  boolean isReady();

  /** One sentence on anything that does not work as it should; empty for nothing. */
  String trouble();

  /** How handing on to the next sidecar is doing, by name; empty without one. */
  default Map<String, Object> upstream() {
    return Map.of();
  }

  /** Why queries cannot be answered whole at the moment, one sentence; empty if they can. */
  default String unavailable() {
    return "";
  }
}
