package io.hdrsidecar.client.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.cumulative.CumulativeDistributionSummary;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.Histogram;
import io.micrometer.core.instrument.distribution.NoopHistogram;

/**
 * A distribution summary whose amounts go to a series, rounded to its unit. For readers inside the
 * process it keeps what Micrometer's cumulative summary keeps, unrounded.
 */
final class RecordingSummary extends CumulativeDistributionSummary implements SentMeter {
  private final SeriesOutput output;

  RecordingSummary(
      Id id,
      Clock clock,
      DistributionStatisticConfig statistics,
      double scale,
      boolean snapshotHistograms,
      SeriesOutput output) {
    super(id, clock, statistics, scale, histogram(clock, statistics, snapshotHistograms));
    this.output = output;
  }

  private static Histogram histogram(
      Clock clock, DistributionStatisticConfig statistics, boolean wanted) {
    return wanted ? defaultHistogram(clock, statistics, false) : NoopHistogram.INSTANCE;
  }

  @Override
  protected void recordNonNegative(double amount) {
    super.recordNonNegative(amount);
    output.recordAmount(amount);
  }

  @Override
  public void release() {
    output.close();
  }
}
