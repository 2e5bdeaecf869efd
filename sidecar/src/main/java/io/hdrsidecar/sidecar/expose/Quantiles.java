package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.Distribution;
import java.math.BigDecimal;
import java.util.List;

/** The quantiles of the window metrics: label values, and values of one distribution at a time. */
final class Quantiles {
  private final String[] labels;
  private final double[] percentiles;
  private final long[] values;

  Quantiles(List<Double> quantiles) {
    labels = new String[quantiles.size()];
    percentiles = new double[quantiles.size()];
    values = new long[quantiles.size()];
    for (int i = 0; i < labels.length; i++) {
      // In decimal: 0.29 * 100 is 28.999999999999996 in binary.
      BigDecimal quantile = BigDecimal.valueOf(quantiles.get(i));
      labels[i] = quantile.signum() == 0 ? "0" : quantile.stripTrailingZeros().toPlainString();
      percentiles[i] = quantile.movePointRight(2).doubleValue();
    }
  }

  int size() {
    return labels.length;
  }

  String labelAt(int i) {
    return labels[i];
  }

  /** Finds the values; one pass, no allocation. */
  void readFrom(Distribution distribution) {
    distribution.valuesAtPercentiles(percentiles, values);
    for (int i = 0; i < values.length; i++) {
      values[i] = distribution.withinExtremes(values[i]);
    }
  }

  /** The i-th value, in the unit of the distribution read last. */
  long valueAt(int i) {
    return values[i];
  }
}
