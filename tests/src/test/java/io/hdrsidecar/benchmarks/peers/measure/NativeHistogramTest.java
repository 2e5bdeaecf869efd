package io.hdrsidecar.benchmarks.peers.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prometheus.metrics.expositionformats.generated.Metrics;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values as Prometheus' documentation of native histograms computes them. */
@SuppressWarnings("NonCanonicalType") // The canonical name of the generated class has a version.
class NativeHistogramTest {
  @Test
  void quantile_insideABucket_interpolatesExponentially() {
    // Schema 0: the bucket of index 3 is (4, 8]; its middle, by ratio, is 4 * sqrt(2).
    NativeHistogram histogram = new NativeHistogram(0, 0, 0, Map.of(3, 10.0));
    assertThat(histogram.quantile(0.5)).isCloseTo(4 * Math.sqrt(2), within(1e-12));
    assertThat(histogram.quantile(1)).isCloseTo(8, within(1e-12));
  }

  @Test
  void quantile_atTheEdgeOfABucket_isThatEdge() {
    // Schema 1: each bucket is sqrt(2) wide. 30 of 40 are at or below 2, the rest at or below 4.
    NativeHistogram histogram = new NativeHistogram(1, 0, 0, Map.of(2, 30.0, 4, 10.0));
    assertThat(histogram.quantile(0.75)).isCloseTo(2, within(1e-12));
    assertThat(histogram.quantile(1)).isCloseTo(4, within(1e-12));
  }

  @Test
  void of_spansAndDeltas_putsEachCountIntoItsBucket() {
    // Buckets 2 and 3, a gap of two, bucket 6: counts 10, 30, 20 as differences to the one before.
    Metrics.Histogram exposed =
        Metrics.Histogram.newBuilder()
            .setSchema(0)
            .addPositiveSpan(span(2, 2))
            .addPositiveSpan(span(2, 1))
            .addPositiveDelta(10)
            .addPositiveDelta(20)
            .addPositiveDelta(-10)
            .build();

    NativeHistogram histogram = NativeHistogram.of(exposed);

    // 10 of 60 are at or below 2^2, 40 at or below 2^3, and the rest is above 2^5.
    assertThat(histogram.quantile(10 / 60.0)).isCloseTo(4, within(1e-12));
    assertThat(histogram.quantile(40 / 60.0)).isCloseTo(8, within(1e-12));
    assertThat(histogram.quantile(50 / 60.0)).isCloseTo(32 * Math.sqrt(2), within(1e-9));
    assertThat(histogram.quantile(1)).isCloseTo(64, within(1e-12));
  }

  @Test
  void of_negativeOffsetAndZeros_startsBelowOne() {
    Metrics.Histogram exposed =
        Metrics.Histogram.newBuilder()
            .setSchema(0)
            .setZeroThreshold(0.001)
            .setZeroCount(5)
            .addPositiveSpan(span(-3, 1))
            .addPositiveDelta(5)
            .build();

    NativeHistogram histogram = NativeHistogram.of(exposed);

    assertThat(histogram.quantile(0.5)).isCloseTo(0.001, within(1e-12));
    assertThat(histogram.quantile(1)).isCloseTo(0.125, within(1e-12));
  }

  private static Metrics.BucketSpan span(int offset, int length) {
    return Metrics.BucketSpan.newBuilder().setOffset(offset).setLength(length).build();
  }

  @Test
  void quantile_amongZeros_interpolatesLinearly() {
    NativeHistogram histogram = new NativeHistogram(3, 0.5, 10, Map.of(9, 10.0));
    assertThat(histogram.quantile(0.25)).isCloseTo(0.25, within(1e-12));
  }
}
