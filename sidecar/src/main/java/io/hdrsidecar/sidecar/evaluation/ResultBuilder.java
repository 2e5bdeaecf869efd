package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.QueryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the elements of step after step into series. Numbers of one answer, and buckets of its
 * histograms, are limited: past the limit numbers are refused, and buckets joined, in all
 * histograms alike, so that they have the same edges.
 */
final class ResultBuilder {
  /** More than that nobody sees in one histogram; a layout of three digits has fewer in use. */
  private static final int MAX_BUCKETS = 8192;

  private static final int MOST_JOINED = 16;

  private final EvaluationScope scope;
  private final Map<MetricLabels, ResultSeries> series = new LinkedHashMap<>();
  private long samples;
  private long claimedBytes;
  private long buckets;
  private int power;

  ResultBuilder(EvaluationScope scope) {
    this.scope = scope;
  }

  /** Elements without what changes at the next step. */
  static List<Sample> samples(List<Element> elements, EvaluationScope scope) throws QueryException {
    List<Element> cut = EdgeCuts.cut(elements);
    Elements.requireDistinct(cut);
    List<Sample> samples = new ArrayList<>(cut.size());
    for (Element each : cut) {
      HistogramValue histogram = each.histogram();
      if (histogram == null) {
        samples.add(new Sample(each.labels(), each.value(), null));
      } else {
        scope.query().claim().grow(2 * histogram.cost());
        ResultHistogram copy = new ResultHistogram(histogram);
        scope.query().claim().shrink(2 * histogram.cost()); // Claimed again when it is added.
        samples.add(new Sample(each.labels(), Double.NaN, copy));
      }
    }
    return samples;
  }

  void add(long millis, List<Sample> all) throws QueryException {
    requireRoom(all.size());
    for (Sample each : all) {
      ResultSeries one = series.get(each.labels());
      if (one == null) {
        claim(each.labels().cost());
        one = new ResultSeries(each.labels());
        series.put(each.labels(), one);
      }
      ResultHistogram histogram = each.histogram();
      if (histogram == null) {
        one.add(millis, each.value());
      } else {
        add(millis, histogram.coarsened(power), one);
      }
    }
  }

  private void add(long millis, ResultHistogram histogram, ResultSeries to) {
    claim(2 * ResultHistogram.BUCKET_BYTES * histogram.size());
    to.add(millis, histogram);
    buckets += histogram.size();
    while ((to.lastBuckets() > MAX_BUCKETS || buckets > scope.query().limits().maxCells())
        && power < MOST_JOINED) {
      power++;
      buckets = 0;
      for (ResultSeries each : series.values()) {
        buckets += each.coarsen(power);
      }
    }
  }

  private void requireRoom(int more) throws QueryException {
    samples += more;
    if (samples > scope.query().limits().maxCells()) {
      throw QueryException.tooCostly(
          "query",
          "gives more than "
              + scope.query().limits().maxCells()
              + " numbers (query.max-cells); take a longer step, a shorter range or fewer series");
    }
    claim(2 * ResultSeries.SAMPLE_BYTES * more);
  }

  private void claim(long bytes) {
    scope.query().claim().grow(bytes);
    claimedBytes += bytes;
  }

  /** What the result takes by now. */
  long claimedBytes() {
    return claimedBytes;
  }

  List<ResultSeries> inOrderOfSteps() {
    return List.copyOf(series.values());
  }

  /** In the order of their labels. */
  List<ResultSeries> sorted() {
    List<ResultSeries> sorted = new ArrayList<>(series.values());
    sorted.sort(Comparator.comparing(each -> each.labels().toString()));
    return sorted;
  }

  void describe(Annotations annotations) {
    if (power > 0) {
      annotations.warn(
          "of the buckets of these histograms "
              + (1 << power)
              + " neighbours each are shown as one, since there may be "
              + scope.query().limits().maxCells()
              + " in all (query.max-cells); take a longer step for finer ones. Quantiles are not"
              + " computed from them and stay as exact as they are");
    }
  }
}
