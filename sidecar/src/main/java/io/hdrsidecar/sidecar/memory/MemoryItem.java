package io.hdrsidecar.sidecar.memory;

import java.util.List;

/**
 * One thing that takes memory, and how much of it at most.
 *
 * @param name what it is, such as {@code windows}
 * @param maxBytes most bytes, 0 or more; {@link Long#MAX_VALUE} for that and anything above
 * @param why how the number comes about, and which settings lower it
 */
public record MemoryItem(String name, long maxBytes, String why) {
  /** What an array or object takes besides its contents, padding included. */
  public static final long OBJECT_BYTES = 24;

  /** Checks the range; throws IllegalArgumentException. */
  public MemoryItem {
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes must be at least 0: " + maxBytes);
    }
  }

  /** The product of numbers of 0 or more; {@link Long#MAX_VALUE} if it is larger. */
  public static long times(long... factors) {
    long product = 1;
    for (long factor : factors) {
      long high = Math.multiplyHigh(product, factor);
      product *= factor;
      if (high != 0 || product < 0) {
        return Long.MAX_VALUE;
      }
    }
    return product;
  }

  /** What all of these may hold together; {@link Long#MAX_VALUE} if it is more. */
  public static long totalBytes(List<MemoryItem> items) {
    long bytes = 0;
    for (MemoryItem item : items) {
      bytes = plus(bytes, item.maxBytes);
    }
    return bytes;
  }

  /** The sum of numbers of 0 or more; {@link Long#MAX_VALUE} if it is larger. */
  public static long plus(long... summands) {
    long sum = 0;
    for (long summand : summands) {
      sum += summand;
      if (sum < 0) {
        return Long.MAX_VALUE;
      }
    }
    return sum;
  }
}
