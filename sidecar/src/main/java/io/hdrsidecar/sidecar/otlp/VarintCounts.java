package io.hdrsidecar.sidecar.otlp;

import java.util.Arrays;

/** Counts as varints, in a few hundred bytes for a histogram that is remembered. */
public final class VarintCounts {
  private VarintCounts() {}

  /** Of counts of 0 or more. */
  public static byte[] pack(long[] counts) {
    byte[] bytes = new byte[10 * counts.length];
    int size = 0;
    for (long count : counts) {
      long left = count;
      while ((left & ~0x7fL) != 0) {
        bytes[size++] = (byte) ((left & 0x7f) | 0x80);
        left >>>= 7;
      }
      bytes[size++] = (byte) left;
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
      long value = 0;
      int shift = 0;
      byte b;
      do {
        b = bytes[at++];
        value |= (long) (b & 0x7f) << shift;
        shift += 7;
      } while (b < 0);
      counts[i] = value;
    }
    return counts;
  }
}
