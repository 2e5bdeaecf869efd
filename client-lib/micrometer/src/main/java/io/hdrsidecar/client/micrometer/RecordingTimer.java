package io.hdrsidecar.client.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.cumulative.CumulativeTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.Histogram;
import io.micrometer.core.instrument.distribution.NoopHistogram;
import io.micrometer.core.instrument.distribution.pause.NoPauseDetector;
import java.util.concurrent.TimeUnit;

/**
 * A timer whose values go to a series. For readers inside the process it keeps what Micrometer's
 * cumulative timer keeps: count and total since it was made, and a maximum that fades.
 */
final class RecordingTimer extends CumulativeTimer implements SentMeter {
  private final SeriesOutput output;

  @SuppressWarnings("deprecation") // NoPauseDetector(): its successor begins with Micrometer 1.16
  RecordingTimer(
      Id id,
      Clock clock,
      DistributionStatisticConfig statistics,
      boolean snapshotHistograms,
      SeriesOutput output) {
    // No pause detector: it would mix values never measured into the raw ones.
    super(
        id,
        clock,
        statistics,
        new NoPauseDetector(),
        TimeUnit.SECONDS,
        histogram(clock, statistics, snapshotHistograms));
    this.output = output;
  }

  private static Histogram histogram(
      Clock clock, DistributionStatisticConfig statistics, boolean wanted) {
    return wanted ? defaultHistogram(clock, statistics, false) : NoopHistogram.INSTANCE;
  }

  @Override
  protected void recordNonNegative(long amount, TimeUnit unit) {
    super.recordNonNegative(amount, unit);
    output.record(unit.toNanos(amount));
  }

  @Override
  public void release() {
    output.close();
  }
}
