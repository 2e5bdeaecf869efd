package io.hdrsidecar.client.micrometer;

import java.time.Duration;

/**
 * Settings of a {@link HdrSidecarMeterRegistry}. Immutable; start from {@link #defaults()}.
 *
 * @param step how long a maximum stays in {@code Timer.max} and {@code DistributionSummary.max},
 *     which are for readers inside the process: at least twice and at most three times this long. 1
 *     ms to 1 day, default 1 min. A meter's own {@code distributionStatisticExpiry} goes first
 * @param snapshotHistograms whether meters that ask for percentiles or objectives also feed
 *     Micrometer's own histograms, so that {@code takeSnapshot()} shows them in process. Default
 *     false: they cost many times what recording costs, and the sidecar needs none of them
 */
public record HdrSidecarRegistryConfig(Duration step, boolean snapshotHistograms) {
  private static final Duration MIN_STEP = Duration.ofMillis(1);
  private static final Duration MAX_STEP = Duration.ofDays(1);

  /** Checks the step; throws IllegalArgumentException. */
  public HdrSidecarRegistryConfig {
    if (step.compareTo(MIN_STEP) < 0 || step.compareTo(MAX_STEP) > 0) {
      throw new IllegalArgumentException(
          "step must be " + MIN_STEP + " to " + MAX_STEP + ": " + step);
    }
  }

  /** A step of one minute, no histograms of Micrometer's. */
  public static HdrSidecarRegistryConfig defaults() {
    return new HdrSidecarRegistryConfig(Duration.ofMinutes(1), false);
  }

  /** The same with another step. */
  public HdrSidecarRegistryConfig withStep(Duration otherStep) {
    return new HdrSidecarRegistryConfig(otherStep, snapshotHistograms);
  }

  /** The same with Micrometer's own histograms kept or not. */
  public HdrSidecarRegistryConfig withSnapshotHistograms(boolean kept) {
    return new HdrSidecarRegistryConfig(step, kept);
  }
}
