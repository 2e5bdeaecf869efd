package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.window.WindowSpec;
import java.util.List;

/**
 * Limits and windows of the store.
 *
 * @param maxSeries most series, 1 or more; further label sets of a name share its overflow series,
 *     of which there are at most as many again
 * @param maxLayouts most bucket layouts in one series, 1 or more
 * @param maxCounters most counters that lowest value, highest value and digits of a series may need
 * @param windows the sliding windows of every series; may be empty
 */
public record MergeConfig(
    int maxSeries, int maxLayouts, int maxCounters, List<WindowSpec> windows) {
  /** 1 ns to 1 h with 4 digits fits; 5 digits over that range does not. */
  private static final int DEFAULT_MAX_COUNTERS = 524_288;

  /** Checks the ranges; throws IllegalArgumentException. */
  public MergeConfig {
    requirePositive("maxSeries", maxSeries);
    requirePositive("maxLayouts", maxLayouts);
    requirePositive("maxCounters", maxCounters);
    windows = List.copyOf(windows);
    WindowSpec.requireDistinctNames(windows);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1: " + value);
    }
  }

  /** 10,000 series, 4 layouts each, one window of a minute. */
  public static MergeConfig defaults() {
    return new MergeConfig(10_000, 4, DEFAULT_MAX_COUNTERS, List.of(WindowSpec.parse("1m")));
  }
}
