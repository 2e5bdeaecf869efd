package io.hdrsidecar.sidecar.evaluation;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesBytes;
import io.hdrsidecar.sidecar.merge.StorePast;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.promql.Shift;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.LayoutSums;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What series have counted since start, at any time: what they have now, without the intervals that
 * ended after it. Only of living series, and of times from which on all intervals are kept.
 */
final class CumulativeNode implements VectorNode {
  /** Further ahead than clocks of clients are. */
  private static final long AHEAD_MILLIS = 366L * 24 * 3600 * 1000;

  private static final class Cumulated {
    private final ChosenSeries series;
    private final List<PastInterval> intervals = new ArrayList<>();
    private final IntervalSum added = new IntervalSum();
    private final TotalCopy total = new TotalCopy();
    private final Distribution counts = new Distribution();
    private int next;

    Cumulated(ChosenSeries series) {
      this.series = series;
    }
  }

  private final SeriesChoice choice;
  private final Shift shift;
  private final EvaluationScope scope;
  private final List<Cumulated> all = new ArrayList<>();
  private long[] times = {};
  private long keptSince = Long.MIN_VALUE;

  CumulativeNode(VectorSelector selector, EvaluationScope scope) {
    this.choice = new SeriesChoice(selector);
    this.shift = selector.shift();
    this.scope = scope;
  }

  @Override
  public void prepare(Moments moments) throws QueryException {
    times = moments.shifted(shift);
    TimeRange range = new TimeRange(times[0], times[times.length - 1] + AHEAD_MILLIS);
    try (PastReading reading =
        scope.query().store().past().source().open(range.startMillis(), range.endMillis())) {
      List<ChosenSeries> chosen =
          choice.select(reading, scope).stream()
              .filter(each -> each.living() != null)
              .filter(each -> each.forms().stream().anyMatch(ExposedForm::isCumulative))
              .toList();
      chosen.forEach(each -> all.add(new Cumulated(each)));
      List<Series> living = SeriesChoice.selection(chosen).series();
      gather(chosen, range, reading);
      if (all.stream().anyMatch(each -> !each.intervals.isEmpty())) {
        keptSince = keptSince(living);
      }
      for (Cumulated each : all) {
        begin(each);
      }
    }
  }

  /**
   * Since when all is kept that was counted: in files since the first of them begins, in memory
   * always, unless something was given up.
   */
  private long keptSince(List<Series> living) {
    StorePast past = scope.query().store().past();
    HistoryExtent inFiles = past.source().extent();
    if (!inFiles.isEmpty()) {
      return inFiles.fromMillis();
    }
    boolean isWhole = living.stream().noneMatch(each -> past.since(each).equals(Instant.MAX));
    return isWhole ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  private void gather(List<ChosenSeries> chosen, TimeRange range, PastReading reading)
      throws QueryException {
    if (chosen.isEmpty()) {
      return;
    }
    List<PastCounts.OfSeries> gathered =
        PastCounts.gather(SeriesChoice.selection(chosen), range, reading, scope.query());
    for (PastCounts.OfSeries each : gathered) {
      for (Cumulated one : all) {
        if (one.series.key().equals(each.key())) {
          each.intervals().stream()
              .filter(interval -> interval.endMillis() > times[0])
              .sorted(Comparator.comparingLong(PastInterval::endMillis))
              .forEach(one.intervals::add);
        }
      }
    }
  }

  /** What it had counted before the first of the intervals. */
  private void begin(Cumulated one) throws QueryException {
    Series series = requireNonNull(one.series.living(), "living");
    scope.query().claim().grow(3 * SeriesBytes.ofCounters(series));
    IntervalSum after = new IntervalSum();
    for (PastInterval each : one.intervals) {
      add(each, after);
    }
    series.readTotal(one.total);
    SparseCounts buckets = new SparseCounts();
    after
        .counts()
        .forEach(
            sum -> {
              buckets.clear();
              sum.counts().forEach(buckets);
              LayoutSums totals = one.total.sums();
              totals.of(sum.counts().layout()).counts().subtract(buckets);
              totals.of(sum.counts().layout()).sum().subtract(sum.sum().high(), sum.sum().low());
            });
  }

  private void add(PastInterval interval, IntervalSum sum) throws QueryException {
    scope.requireWanted();
    try {
      sum.add(interval);
    } catch (IOException e) {
      throw QueryException.unsupported(
          "counts since start cannot be told for the past, as an interval cannot be read: "
              + e.getMessage());
    }
  }

  @Override
  public List<Element> at(int step, Annotations annotations) throws QueryException {
    List<Element> elements = new ArrayList<>();
    long time = times[step];
    for (Cumulated each : all) {
      for (; each.next < each.intervals.size(); each.next++) {
        PastInterval interval = each.intervals.get(each.next);
        if (interval.endMillis() > time) {
          break;
        }
        add(interval, each.added);
      }
      if (each.series.fromMillis() <= time) {
        if (each.next < each.intervals.size() && time < keptSince) {
          annotations.warn(
              "counts since start are not known for all of this time, as not all intervals since"
                  + " are kept");
        } else {
          add(each, elements);
        }
      }
    }
    return elements;
  }

  private void add(Cumulated one, List<Element> into) {
    one.counts.clear();
    LayoutSums total = one.total.sums();
    one.added.counts().forEach(sum -> total.of(sum.counts().layout()).add(sum));
    one.added.clear();
    total.addTo(one.counts);
    for (ExposedForm form : one.series.forms()) {
      if (form.isCumulative()) {
        List<Double> edges =
            form == ExposedForm.BUCKET ? choice.edges(one.series.unit(), scope.edges()) : null;
        HistogramValue value = HistogramValue.of(one.counts, 1, one.series.unit(), edges);
        into.add(SeriesForms.element(one.series.labels(form), form, value));
      }
    }
  }

  @Override
  public void close() {
    all.clear();
  }
}
