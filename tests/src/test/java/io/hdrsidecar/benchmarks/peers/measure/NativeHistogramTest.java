package io.hdrsidecar.benchmarks.peers.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values as Prometheus' documentation of native histograms computes them. */
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
  void quantile_amongZeros_interpolatesLinearly() {
    NativeHistogram histogram = new NativeHistogram(3, 0.5, 10, Map.of(9, 10.0));
    assertThat(histogram.quantile(0.25)).isCloseTo(0.25, within(1e-12));
  }
}
