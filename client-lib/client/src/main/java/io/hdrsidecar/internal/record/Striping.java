package io.hdrsidecar.internal.record;

/**
 * When a series is hot, and how many stripes it may get then.
 *
 * <p>A stripe is a full set of counters, so stripes are paid in memory; a series has them only once
 * it is hot from several threads. The sampler decides, at each harvest. Stripes are never given
 * back, as a writer may be in one at any time: a series that was hot once keeps, for as long as it
 * is recorded, up to {@value #MOST_STRIPES} times the pages its values touch. At 3 digits four
 * pages of 1 KiB cover a doubling, so values that spread over a factor of 2,000 take 44 KiB in each
 * stripe and 1.4 MB in 32; the whole range from 1 ns to 1 h takes 132 KiB and 4.3 MB.
 *
 * @param initialStripes stripes of a new series; a power of two, at most {@code maxStripes}
 * @param maxStripes a power of two, at most {@value #MOST_STRIPES}
 * @param hotCount a stripe is hot when it has counted this many values since the last harvest in
 *     what its threads share; at least 1
 * @param owners threads of a stripe that may keep their values to themselves, {@link OwnerSlot}; 1
 *     or 2
 */
public record Striping(int initialStripes, int maxStripes, long hotCount, int owners) {
  /** A stripe tells at most so many threads apart. */
  static final int MOST_STRIPES = 32;

  /**
   * Two threads that alternate on one counter pay some 30 ns more a value, so at 65,536 values an
   * interval about 2 ms of processor time buy the memory of another stripe.
   */
  private static final long HOT_COUNT = 1 << 16;

  /** Checks the bounds; throws IllegalArgumentException. */
  public Striping {
    if (Integer.bitCount(maxStripes) != 1 || maxStripes < 1 || maxStripes > MOST_STRIPES) {
      throw new IllegalArgumentException(
          "maxStripes must be a power of two up to " + MOST_STRIPES + ": " + maxStripes);
    }
    if (Integer.bitCount(initialStripes) != 1
        || initialStripes < 1
        || initialStripes > maxStripes) {
      throw new IllegalArgumentException(
          "initialStripes must be a power of two up to " + maxStripes + ": " + initialStripes);
    }
    if (hotCount < 1) {
      throw new IllegalArgumentException("hotCount must be at least 1: " + hotCount);
    }
    if (owners < 1 || owners > 2) {
      throw new IllegalArgumentException("owners must be 1 or 2: " + owners);
    }
  }

  /**
   * One stripe of two owners at first, and at most twice as many as there are processors: with
   * fewer, threads that run at the same time would often share one.
   */
  public static Striping forThisMachine() {
    int processors = Runtime.getRuntime().availableProcessors();
    int enough = Integer.highestOneBit(Math.max(1, 2 * processors - 1)) * 2;
    return new Striping(1, Math.min(enough, MOST_STRIPES), HOT_COUNT, 2);
  }

  /** With one owner a stripe: in a file, what an owner has is never given back. */
  Striping withOneOwner() {
    return new Striping(initialStripes, maxStripes, hotCount, 1);
  }
}
