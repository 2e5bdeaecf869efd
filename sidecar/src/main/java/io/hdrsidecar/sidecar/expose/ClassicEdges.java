package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Distribution;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * Classic buckets at configured edges.
 *
 * <p>A bucket of a distribution counts for {@code le="e"} when its highest value does: no value
 * above an edge is ever counted below it. A bucket across the edge counts for the next one, so the
 * count of {@code le="e"} is exact for the highest bucket edge at or below {@code e}, and what it
 * leaves out lies less than one bucket (0.1 % with 3 digits) under it.
 */
final class ClassicEdges {
  private final double[] upperBounds;
  private final long[] limits;

  /** Edges in the base unit, for values in this unit. */
  ClassicEdges(List<Double> edges, Unit unit) {
    upperBounds = new double[edges.size() + 1];
    limits = new long[edges.size() + 1];
    for (int i = 0; i < edges.size(); i++) {
      upperBounds[i] = edges.get(i);
      limits[i] = limit(edges.get(i), unit);
    }
    upperBounds[edges.size()] = Double.POSITIVE_INFINITY;
    limits[edges.size()] = Long.MAX_VALUE;
  }

  /** In decimal, as the edge was written: 0.035 s are 35,000,000 ns and not one less. */
  private static long limit(double edge, Unit unit) {
    BigDecimal inUnit = BigDecimal.valueOf(edge).multiply(BigDecimal.valueOf(unit.perBaseUnit()));
    return inUnit
        .setScale(0, RoundingMode.FLOOR)
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .max(BigDecimal.valueOf(Long.MIN_VALUE))
        .longValueExact();
  }

  /** The counts between the edges. */
  ClassicHistogramBuckets bucketsOf(Distribution distribution) {
    long[] counts = new long[limits.length];
    int edge = 0;
    for (int i = 0; i < distribution.size(); i++) {
      while (distribution.highestAt(i) > limits[edge]) {
        edge++;
      }
      counts[edge] += distribution.countAt(i);
    }
    return ClassicHistogramBuckets.of(upperBounds, counts);
  }
}
