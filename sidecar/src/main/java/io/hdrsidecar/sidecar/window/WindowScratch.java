package io.hdrsidecar.sidecar.window;

import io.hdrsidecar.interval.SparseCounts;
import java.util.Arrays;

/**
 * Working memory of all windows that one thread writes: they share it, since none needs it between
 * two calls. One thread.
 */
public final class WindowScratch {
  private final SparseCounts decoded = new SparseCounts();
  private byte[] encoded = new byte[1024];

  /** Counts read back from a step. */
  SparseCounts decoded() {
    return decoded;
  }

  /** Room for at least so many bytes; the contents are undefined. */
  byte[] encoded(int bytes) {
    if (encoded.length < bytes) {
      encoded = Arrays.copyOf(encoded, Math.max(bytes, encoded.length * 2));
    }
    return encoded;
  }
}
