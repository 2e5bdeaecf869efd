package io.hdrsidecar.client.micrometer;

import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import org.jspecify.annotations.Nullable;

/**
 * The expected minimum and maximum that Micrometer's builders set when the application sets none.
 *
 * <p>A builder gives no way to tell its default from an application's choice, and its defaults (1
 * ms to 30 s for timers) are bounds of published buckets, not of values. So a bound equal to the
 * default counts as not set. A bound that is set is an expectation, not a limit: the maximum widens
 * our range and never narrows it, because the value nobody expected is the one worth seeing; the
 * minimum chooses the finest difference so that the minimum itself still has all its significant
 * digits.
 *
 * @param minimum in Micrometer's unit: nanoseconds for timers
 * @param maximum likewise
 * @param leastHighest highest trackable value when no larger one is expected, in the unit of the
 *     series; 0 for that of the unit
 */
record ExpectedRange(double minimum, double maximum, long leastHighest) {
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** 1 ms to 30 s; see {@code AbstractTimerBuilder}. */
  static final ExpectedRange TIMER = new ExpectedRange(1_000_000, 30.0 * SECOND_NANOS, 0);

  /** 2 min to 2 h; see {@code LongTaskTimer.Builder}. Tasks of a week are within range. */
  static final ExpectedRange LONG_TASK_TIMER =
      new ExpectedRange(
          120.0 * SECOND_NANOS, 7_200.0 * SECOND_NANOS, 7 * 24 * 3_600 * SECOND_NANOS);

  /** 1 to infinity; see {@code DistributionStatisticConfig.DEFAULT}. */
  static final ExpectedRange SUMMARY = new ExpectedRange(1, Double.POSITIVE_INFINITY, 0);

  /** Largest bounds taken over, so that every layout stays within 62 bits. */
  private static final double LARGEST_MINIMUM = 1L << 56;

  private static final double LARGEST_MAXIMUM = 1L << 61;

  /** The recorder's configuration with the digits and the range that the meter asks for. */
  RecorderConfig widened(
      RecorderConfig config, DistributionStatisticConfig statistics, double unitsPerAmount) {
    int digits = significantDigits(config, statistics.getPercentilePrecision());
    long lowest = config.lowestDiscernibleValue();
    Double minimumExpected = statistics.getMinimumExpectedValueAsDouble();
    if (minimumExpected != null && minimumExpected != minimum) {
      double units = Math.min(minimumExpected * unitsPerAmount, LARGEST_MINIMUM);
      lowest = Math.max(lowest, (long) (units / Math.pow(10, digits)));
    }
    long highest = Math.max(2 * lowest, Math.max(leastHighest, config.highestTrackableValue()));
    Double maximumExpected = statistics.getMaximumExpectedValueAsDouble();
    if (maximumExpected != null && maximumExpected != maximum && !maximumExpected.isInfinite()) {
      double units = Math.min(maximumExpected * unitsPerAmount, LARGEST_MAXIMUM);
      highest = Math.max(highest, (long) units);
    }
    return config.withSignificantDigits(digits).withRange(lowest, highest);
  }

  private static int significantDigits(RecorderConfig config, @Nullable Integer precision) {
    return precision == null
        ? config.significantDigits()
        : Math.max(0, Math.min(BucketLayout.MAX_SIGNIFICANT_DIGITS, precision));
  }
}
