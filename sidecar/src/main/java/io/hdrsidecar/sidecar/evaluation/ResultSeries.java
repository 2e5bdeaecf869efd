package io.hdrsidecar.sidecar.evaluation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One series of a result: numbers, histograms, or both, by time. */
public final class ResultSeries {
  /** What one sample takes. */
  static final long SAMPLE_BYTES = 2 * Long.BYTES;

  private final MetricLabels labels;
  private final List<ResultHistogram> histograms = new ArrayList<>();
  private long[] times = {};
  private double[] values = {};
  private long[] histogramTimes = {};
  private int size;

  ResultSeries(MetricLabels labels) {
    this.labels = labels;
  }

  void add(long millis, double value) {
    if (size == times.length) {
      int longer = Math.max(4, size + size / 2);
      times = Arrays.copyOf(times, longer);
      values = Arrays.copyOf(values, longer);
    }
    times[size] = millis;
    values[size] = value;
    size++;
  }

  void add(long millis, ResultHistogram histogram) {
    if (histograms.size() == histogramTimes.length) {
      histogramTimes =
          Arrays.copyOf(histogramTimes, Math.max(4, histograms.size() + histograms.size() / 2));
    }
    histogramTimes[histograms.size()] = millis;
    histograms.add(histogram);
  }

  /** Joins neighbouring buckets; returns how many are left. */
  long coarsen(int power) {
    histograms.replaceAll(each -> each.coarsened(power));
    return histograms.stream().mapToLong(ResultHistogram::size).sum();
  }

  /** How many buckets the last histogram has. */
  int lastBuckets() {
    return histograms.get(histograms.size() - 1).size();
  }

  /** Labels, the metric's name among them. */
  public MetricLabels labels() {
    return labels;
  }

  /** How many numbers it has. */
  public int size() {
    return size;
  }

  /** When a number was, milliseconds since the epoch; ascending. */
  public long timeAt(int i) {
    return times[i];
  }

  /** A number. */
  public double valueAt(int i) {
    return values[i];
  }

  /** Histograms in the order of their times. */
  public List<ResultHistogram> histograms() {
    return histograms;
  }

  /** When a histogram was. */
  public long histogramTimeAt(int i) {
    return histogramTimes[i];
  }
}
