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

  /** An element and a sample of it, without their labels. */
  private static final long SAMPLE_BYTES = 128;

  /** While a histogram is copied, its buckets are in trees. */
  private static final long COPIED = 4;

  private final EvaluationScope scope;
  private final Map<MetricLabels, ResultSeries> series = new LinkedHashMap<>();
  private long samples;
  private long claimedBytes;
  private long transientBytes;
  private long buckets;
  private int power;

  ResultBuilder(EvaluationScope scope) {
    this.scope = scope;
  }

  /**
   * Elements without what changes at the next step. What they take is claimed until they are added.
   *
   * @throws QueryException when the result would have more numbers than may be
   */
  List<Sample> samples(List<Element> elements) throws QueryException {
    requireRoom(EdgeCuts.count(elements));
    long bytes = SAMPLE_BYTES * EdgeCuts.count(elements);
    for (Element each : elements) {
      HistogramValue histogram = each.histogram();
      if (histogram != null && !histogram.isClassic()) {
        bytes += COPIED * histogram.cost();
      }
    }
    scope.query().claim().grow(bytes);
    transientBytes = bytes;
    List<Element> cut = EdgeCuts.cut(elements);
    Element.requireDistinct(cut);
    List<Sample> samples = new ArrayList<>(cut.size());
    for (Element each : cut) {
      HistogramValue histogram = each.histogram();
      samples.add(
          histogram == null
              ? new Sample(each.labels(), each.value(), null)
              : new Sample(each.labels(), Double.NaN, new ResultHistogram(histogram)));
    }
    return samples;
  }

  /** Adds a step as a whole, or, when there is no memory for it, nothing. */
  void add(long millis, List<Sample> all) throws QueryException {
    requireRoom(all.size());
    long bytes = 2 * ResultSeries.SAMPLE_BYTES * all.size();
    for (Sample each : all) {
      ResultHistogram histogram = each.histogram();
      bytes += series.containsKey(each.labels()) ? 0 : each.labels().cost();
      bytes += histogram == null ? 0 : 2 * ResultHistogram.BUCKET_BYTES * histogram.size();
    }
    claim(bytes);
    samples += all.size();
    for (Sample each : all) {
      ResultSeries one = series.computeIfAbsent(each.labels(), ResultSeries::new);
      ResultHistogram histogram = each.histogram();
      if (histogram == null) {
        one.add(millis, each.value());
      } else {
        add(millis, histogram.coarsened(power), one);
      }
    }
    scope.query().claim().shrink(transientBytes);
    transientBytes = 0;
  }

  private void add(long millis, ResultHistogram histogram, ResultSeries to) {
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

  private void requireRoom(long more) throws QueryException {
    if (samples + more > scope.query().limits().maxCells()) {
      throw QueryException.tooCostly(
          "query",
          "gives more than "
              + scope.query().limits().maxCells()
              + " numbers (query.max-cells); take a longer step, a shorter range or fewer series");
    }
  }

  private void claim(long bytes) {
    scope.query().claim().grow(bytes);
    claimedBytes += bytes;
  }

  /** What the result takes by now, without a step that was not added after all. */
  long claimedBytes() {
    transientBytes = 0;
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
