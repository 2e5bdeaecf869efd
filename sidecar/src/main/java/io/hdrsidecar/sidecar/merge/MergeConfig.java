package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.List;

/**
 * Limits and windows of the store.
 *
 * @param maxSeries most series, 1 or more; further label sets share overflow series, a few for each
 *     name (see {@link io.hdrsidecar.internal.interval.OverflowLabels}), and at most as many again
 *     in all
 * @param maxLayouts most bucket layouts in one series, 1 or more
 * @param maxCounters most counters that lowest value, highest value and digits of a series may need
 * @param windows the sliding windows of every series; may be empty
 * @param maxLabelLength most characters that names and values of a series' labels may have in sum,
 *     64 or more
 * @param idleExpiry a series without intervals for so long ends; 1 s or more, or zero for never
 * @param maxMemoryBytes most bytes that series may hold, windows, names and labels included, 1 or
 *     more; {@link Long#MAX_VALUE} for no limit
 */
public record MergeConfig(
    int maxSeries,
    int maxLayouts,
    int maxCounters,
    List<WindowSpec> windows,
    int maxLabelLength,
    Duration idleExpiry,
    long maxMemoryBytes) {
  /** 1 ns to 1 h with 4 digits fits; 5 digits over that range does not. */
  private static final int DEFAULT_MAX_COUNTERS = 524_288;

  private static final int DEFAULT_MAX_LABEL_LENGTH = 2048;
  private static final int MIN_LABEL_LENGTH = 64;
  private static final Duration DEFAULT_IDLE_EXPIRY = Duration.ofMinutes(15);

  /** Checks the ranges; throws IllegalArgumentException. */
  public MergeConfig {
    requirePositive("maxSeries", maxSeries);
    requirePositive("maxLayouts", maxLayouts);
    requirePositive("maxCounters", maxCounters);
    windows = List.copyOf(windows);
    WindowSpec.requireDistinctNames(windows);
    if (maxLabelLength < MIN_LABEL_LENGTH) {
      throw new IllegalArgumentException(
          "maxLabelLength must be at least " + MIN_LABEL_LENGTH + ": " + maxLabelLength);
    }
    if (!idleExpiry.isZero() && idleExpiry.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "idleExpiry must be at least 1s, or 0 for never: " + idleExpiry);
    }
    if (maxMemoryBytes < 1) {
      throw new IllegalArgumentException("maxMemoryBytes must be at least 1: " + maxMemoryBytes);
    }
  }

  /** With as much memory as the other limits allow. */
  public MergeConfig(
      int maxSeries,
      int maxLayouts,
      int maxCounters,
      List<WindowSpec> windows,
      int maxLabelLength,
      Duration idleExpiry) {
    this(maxSeries, maxLayouts, maxCounters, windows, maxLabelLength, idleExpiry, Long.MAX_VALUE);
  }

  /** The same, labels of 2048 characters at most, and series that end after 15 minutes. */
  public MergeConfig(int maxSeries, int maxLayouts, int maxCounters, List<WindowSpec> windows) {
    this(
        maxSeries, maxLayouts, maxCounters, windows, DEFAULT_MAX_LABEL_LENGTH, DEFAULT_IDLE_EXPIRY);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1: " + value);
    }
  }

  /** The same settings, with so much memory. */
  public MergeConfig withMaxMemoryBytes(long bytes) {
    return new MergeConfig(
        maxSeries, maxLayouts, maxCounters, windows, maxLabelLength, idleExpiry, bytes);
  }

  /**
   * 10,000 series, 4 layouts each, one window of a minute, the end after 15 idle minutes, and as
   * much memory as these take.
   */
  public static MergeConfig defaults() {
    return new MergeConfig(10_000, 4, DEFAULT_MAX_COUNTERS, List.of(WindowSpec.parse("1m")));
  }
}
