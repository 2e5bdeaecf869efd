package io.hdrsidecar.client.micrometer;

import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Micrometer's compatibility kit against the registry as it is by default.
 *
 * <p>Six tests are left out, all for one reason: they look for percentiles or objective counts in
 * {@code takeSnapshot()}, which needs a second histogram beside ours on every record. With that
 * histogram switched on, {@link MicrometerKitWithSnapshotHistogramsTest} passes without exception.
 */
class MicrometerKitTest extends MicrometerKit {
  @RegisterExtension
  static final KnownDeviations DEVIATIONS =
      new KnownDeviations(
          "TimerTck.percentiles",
          "TimerTck.histogramCounts",
          "TimerTck.histogramCountsPublishPercentileHistogramAndSlos",
          "DistributionSummaryTck.percentiles",
          "DistributionSummaryTck.histogramCounts",
          "DistributionSummaryTck.histogramCountsPublishPercentileHistogramAndSlos");

  @Override
  HdrSidecarRegistryConfig config() {
    return HdrSidecarRegistryConfig.defaults();
  }
}
