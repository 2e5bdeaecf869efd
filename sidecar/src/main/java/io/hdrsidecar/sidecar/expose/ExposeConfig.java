package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.series.Unit;
import java.util.List;

/**
 * How series are shown to Prometheus.
 *
 * @param quantiles of the window metrics, 0 to 1, ascending; 1 is the exact maximum
 * @param secondsEdges upper bounds of the classic buckets of durations, in seconds, ascending,
 *     without the infinite one
 * @param bytesEdges the same for sizes, in bytes
 * @param plainEdges the same for plain numbers
 * @param nativeSchema finest schema of native histograms, -4 to 8: a bucket's upper edge is {@code
 *     2^(2^-schema)} times its lower one, 9.05 % more for schema 3
 * @param nativeMaxBuckets most buckets of one native histogram, at least 16; a series that fills
 *     more falls to a coarser schema
 */
public record ExposeConfig(
    List<Double> quantiles,
    List<Double> secondsEdges,
    List<Double> bytesEdges,
    List<Double> plainEdges,
    int nativeSchema,
    int nativeMaxBuckets) {
  /** Checks ranges and orders; throws IllegalArgumentException. */
  public ExposeConfig {
    quantiles = ascending("quantiles", quantiles);
    secondsEdges = ascending("secondsEdges", secondsEdges);
    bytesEdges = ascending("bytesEdges", bytesEdges);
    plainEdges = ascending("plainEdges", plainEdges);
    if (!quantiles.isEmpty() && (quantiles.get(0) < 0 || quantiles.get(quantiles.size() - 1) > 1)) {
      throw new IllegalArgumentException("quantiles must be 0 to 1: " + quantiles);
    }
    if (nativeSchema < NativeSchema.COARSEST || nativeSchema > NativeSchema.FINEST) {
      throw new IllegalArgumentException("nativeSchema must be -4 to 8: " + nativeSchema);
    }
    if (nativeMaxBuckets < 16) {
      throw new IllegalArgumentException(
          "nativeMaxBuckets must be at least 16: " + nativeMaxBuckets);
    }
  }

  private static List<Double> ascending(String name, List<Double> values) {
    for (int i = 0; i < values.size(); i++) {
      double value = values.get(i);
      if (!Double.isFinite(value) || (i > 0 && value <= values.get(i - 1))) {
        throw new IllegalArgumentException(name + " must be finite and ascending: " + values);
      }
    }
    return List.copyOf(values);
  }

  /**
   * Six quantiles, classic buckets from 5 ms to 10 s, and native histograms of schema 3 in at most
   * 160 buckets: 20 powers of two, as from 10 us to 10 s, before the schema falls.
   */
  public static ExposeConfig defaults() {
    return new ExposeConfig(
        List.of(0.5, 0.9, 0.99, 0.999, 0.9999, 1.0),
        List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
        List.of(
            256.0, 1024.0, 4096.0, 16384.0, 65536.0, 262144.0, 1048576.0, 4194304.0, 16777216.0),
        List.of(1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0),
        3,
        160);
  }

  /** The edges for a unit, in its base unit. */
  List<Double> edges(Unit unit) {
    return switch (unit) {
      case NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS -> secondsEdges;
      case BYTES -> bytesEdges;
      case NONE -> plainEdges;
    };
  }
}
