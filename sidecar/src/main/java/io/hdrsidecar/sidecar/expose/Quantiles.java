package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.interval.ExactSum;
import io.hdrsidecar.interval.PagedCounts;
import io.hdrsidecar.sidecar.merge.CountsReader;
import io.hdrsidecar.sidecar.merge.Distribution;
import io.hdrsidecar.sidecar.merge.Series;
import java.math.BigDecimal;
import java.util.List;

/**
 * The quantiles of the window metrics: label values, and values of one series at a time.
 *
 * <p>Counts of one layout, which is what a series has as a rule, are only added up until a rank is
 * reached; those of several are joined first.
 */
final class Quantiles implements CountsReader {
  private final List<Double> quantiles;
  private final String[] labels;
  private final double[] percentiles;
  private final long[] ranks;
  private final int[] indexes;
  private final long[] values;
  private final Distribution joined = new Distribution();
  private long count;
  private boolean severalLayouts;

  Quantiles(List<Double> quantiles) {
    this.quantiles = quantiles;
    labels = new String[quantiles.size()];
    percentiles = new double[quantiles.size()];
    ranks = new long[quantiles.size()];
    indexes = new int[quantiles.size()];
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

  /**
   * Finds the values of a window.
   *
   * @return false when it is empty
   */
  boolean readFrom(Series series, int window) {
    series.readWindow(window, this);
    if (severalLayouts) {
      series.readWindow(window, joined);
      readFrom(joined);
    }
    return count > 0;
  }

  private void readFrom(Distribution distribution) {
    count = distribution.count();
    distribution.valuesAtPercentiles(percentiles, values);
    for (int i = 0; i < values.length; i++) {
      values[i] = distribution.withinExtremes(values[i]);
    }
  }

  @Override
  public void clear() {
    count = 0;
    severalLayouts = false;
  }

  @Override
  public void add(PagedCounts counts, ExactSum sum, boolean sumIsExact, long min, long max) {
    if (counts.total() == 0) {
      return;
    }
    severalLayouts = count > 0;
    count = counts.total();
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = Distribution.rank(percentiles[i], count);
    }
    counts.indexesAtRanks(ranks, indexes);
    BucketLayout layout = counts.layout();
    for (int i = 0; i < values.length; i++) {
      long value =
          percentiles[i] <= 0
              ? layout.lowestValueAt(indexes[i])
              : layout.highestValueAt(indexes[i]);
      values[i] = Math.min(Math.max(value, min), max);
    }
  }

  @Override
  public CountsReader another() {
    return new Quantiles(quantiles);
  }

  @Override
  public void takeOver(CountsReader filled) {
    Quantiles other = (Quantiles) filled;
    count = other.count;
    severalLayouts = other.severalLayouts;
    System.arraycopy(other.values, 0, values, 0, values.length);
  }

  /** The i-th value, in the unit of the distribution read last. */
  long valueAt(int i) {
    return values[i];
  }
}
