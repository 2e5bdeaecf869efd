package io.hdrsidecar.sidecar.counts;

import io.hdrsidecar.internal.interval.SparseCounts;

/**
 * Working memory of all windows that one thread writes, and of the history: they share it, since
 * none needs it between two calls. One thread.
 */
public final class PackingScratch {
  private final SparseCounts decoded = new SparseCounts();
  private final PackedSum sum = new PackedSum();
  private byte[] bytes = new byte[1024];

  /** Counts read back from a step. */
  public SparseCounts decoded() {
    return decoded;
  }

  /** Adds steps up. */
  public PackedSum sum() {
    return sum;
  }

  /** Room for so many bytes; the contents are undefined. */
  public byte[] bytes(int needed) {
    if (bytes.length < needed) {
      bytes = new byte[Math.max(needed, bytes.length + bytes.length / 4)];
    }
    return bytes;
  }
}
