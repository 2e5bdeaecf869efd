package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.internal.interval.Leb128;
import java.util.Arrays;

/** Counts as varints, in a few hundred bytes for a histogram that is remembered. */
public final class VarintCounts {
  private VarintCounts() {}

  /** Of counts of 0 or more. */
  public static byte[] pack(long[] counts) {
    byte[] bytes = new byte[Leb128.MAX_BYTES * counts.length];
    int size = 0;
    for (long count : counts) {
      size = Leb128.put(bytes, size, count);
    }
    return Arrays.copyOf(bytes, size);
  }

  /**
   * The counts again.
   *
   * @param length how many there are
   */
  public static long[] unpack(byte[] bytes, int length) {
    long[] counts = new long[length];
    int at = 0;
    for (int i = 0; i < length; i++) {
      counts[i] = Leb128.get(bytes, at);
      at += Leb128.length(counts[i]);
    }
    return counts;
  }
}
