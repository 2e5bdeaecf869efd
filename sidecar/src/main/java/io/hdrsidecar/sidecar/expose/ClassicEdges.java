package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Distribution;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;

/**
 * Classic buckets at configured edges.
 *
 * <p>A bucket of a distribution counts for {@code le="e"} when its highest value does: no value
 * above an edge is ever counted below it. A bucket across the edge counts for the next one, so the
 * count of {@code le="e"} is exact for the highest bucket edge at or below {@code e}, and what it
 * leaves out lies less than one bucket (0.1 % with 3 digits) under it.
 *
 * <p>Reused; one thread at a time.
 */
final class ClassicEdges {
  private final double[] upperBounds;
  private final long[] limits;
  private final long[] cumulative;

  /** Edges in the base unit, for values in this unit. */
  ClassicEdges(List<Double> edges, Unit unit) {
    upperBounds = new double[edges.size() + 1];
    limits = new long[edges.size() + 1];
    cumulative = new long[edges.size() + 1];
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

  /** Counts these buckets. */
  void readFrom(Distribution distribution) {
    Arrays.fill(cumulative, 0);
    int edge = 0;
    for (int i = 0; i < distribution.size(); i++) {
      while (distribution.highestAt(i) > limits[edge]) {
        edge++;
      }
      cumulative[edge] += distribution.countAt(i);
    }
    for (int i = 1; i < cumulative.length; i++) {
      cumulative[i] += cumulative[i - 1];
    }
  }

  /** Number of edges, the infinite one included. */
  int size() {
    return limits.length;
  }

  /** An edge, in the base unit. */
  double upperBoundAt(int i) {
    return upperBounds[i];
  }

  /** How many values are counted at or below an edge. */
  long cumulativeAt(int i) {
    return cumulative[i];
  }
}
