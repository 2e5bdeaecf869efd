package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.reading.CountsReader;
import io.hdrsidecar.sidecar.reading.PercentileReader;
import java.math.BigDecimal;
import java.util.List;

/** The quantiles of the window metrics: label values, and values of one series at a time. */
final class Quantiles {
  private final String[] labels;
  private final PercentileReader reader;

  Quantiles(List<Double> quantiles) {
    labels = new String[quantiles.size()];
    double[] percentiles = new double[quantiles.size()];
    for (int i = 0; i < labels.length; i++) {
      // In decimal: 0.29 * 100 is 28.999999999999996 in binary.
      BigDecimal quantile = BigDecimal.valueOf(quantiles.get(i));
      labels[i] = quantile.signum() == 0 ? "0" : quantile.stripTrailingZeros().toPlainString();
      percentiles[i] = quantile.movePointRight(2).doubleValue();
    }
    reader = new PercentileReader(percentiles);
  }

  int size() {
    return labels.length;
  }

  String labelAt(int i) {
    return labels[i];
  }

  /**
   * Finds the values of a window.
   *
   * @return false when it is empty
   */
  boolean readFrom(Series series, int window) {
    series.readWindow(window, reader);
    return reader.count() > 0;
  }

  /** The reader of the counts. */
  CountsReader reader() {
    return reader;
  }

  /** The i-th value, in the unit of the series read last. */
  long valueAt(int i) {
    return reader.valueAt(i);
  }
}
