package io.hdrsidecar.sidecar.window;

import io.hdrsidecar.interval.SparseCounts;

/**
 * Working memory of all windows that one thread writes: they share it, since none needs it between
 * two calls. One thread.
 */
public final class WindowScratch {
  private final SparseCounts decoded = new SparseCounts();
  private final SparseCounts other = new SparseCounts();
  private byte[] bytes = new byte[1024];

  /** Counts read back from a step. */
  SparseCounts decoded() {
    return decoded;
  }

  /** More of them, to be added to these. */
  SparseCounts other() {
    return other;
  }

  /** Room for the sum of these, packed; the contents are undefined. */
  byte[] bytesFor(SparseCounts a, SparseCounts b) {
    int needed = PackedCounts.maxBytes(Math.addExact(a.size(), b.size()));
    if (bytes.length < needed) {
      bytes = new byte[Math.max(needed, bytes.length * 2)];
    }
    return bytes;
  }
}
