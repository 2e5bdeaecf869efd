package io.hdrsidecar.sidecar.evaluation;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.KeptInterval;
import io.hdrsidecar.sidecar.history.PastSource;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.CountsAndHistory;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesBytes;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.promql.Shift;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.LayoutCopy;
import io.hdrsidecar.sidecar.reading.LayoutSums;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What series have counted since start, at any time: what they have now, without the intervals that
 * ended after it. Only of living series, and of times after which memory keeps all intervals. A
 * journal is not asked: under the name of a series it has others, too, that ended before it began.
 */
final class CumulativeNode implements VectorNode {
  private static final long INTERVAL_BYTES = 160;

  /** The counters, those of intervals that are added, a distribution, and unpacked intervals. */
  private static final long COPIES = 5;

  private static final class Cumulated {
    private final ChosenSeries series;
    private final Sorts sorts;
    private final LayoutCopy total = new LayoutCopy();
    private final IntervalSum added = new IntervalSum();
    private final Distribution counts = new Distribution();
    private List<KeptInterval> intervals = List.of();

    /** Of the intervals from each on, the one that began first. */
    private int[] earliest = {};

    private long knownFrom;
    private int next;

    Cumulated(ChosenSeries series) {
      this.series = series;
      this.sorts = Sorts.of(series.key());
    }
  }

  private final SeriesChoice choice;
  private final Shift shift;
  private final EvaluationScope scope;
  private final List<Cumulated> all = new ArrayList<>();
  private long[] times = {};

  CumulativeNode(VectorSelector selector, EvaluationScope scope) {
    this.choice = new SeriesChoice(selector).ofCounts();
    this.shift = selector.shift();
    this.scope = scope;
  }

  @Override
  public void prepare(Moments moments) throws QueryException {
    times = moments.shifted(shift);
    for (ChosenSeries each : choice.select(PastSource.NOTHING, scope)) {
      scope.requireWanted();
      Cumulated one = new Cumulated(each);
      copy(one);
      begin(one);
      all.add(one);
    }
  }

  private void copy(Cumulated one) throws QueryException {
    Series series = requireNonNull(one.series.living(), "living");
    HeapClaim claim = scope.query().claim();
    claim.grow(COPIES * SeriesBytes.ofCounters(series));
    int most = scope.query().limits().maxIntervals();
    int room = (int) Math.max(0, Math.min(most, claim.roomBytes() / INTERVAL_BYTES - 1));
    claim.grow(INTERVAL_BYTES * (room + 1L));
    CountsAndHistory copied = CountsAndHistory.of(series, times[0], room, one.total);
    int found = copied.intervals().size();
    scope.spend(found);
    if (found > room) {
      throw claim.full(INTERVAL_BYTES);
    }
    claim.resize(INTERVAL_BYTES * (room + 1L), INTERVAL_BYTES * found);
    one.knownFrom = copied.knownFromMillis();
    one.intervals =
        copied.intervals().stream()
            .filter(each -> each.endMillis() > times[0] && one.knownFrom < Long.MAX_VALUE)
            .sorted(Comparator.comparingLong(KeptInterval::endMillis))
            .toList();
    one.earliest = new int[one.intervals.size()];
    for (int i = one.earliest.length - 1; i >= 0; i--) {
      int behind = i + 1 < one.earliest.length ? one.earliest[i + 1] : i;
      one.earliest[i] = start(one, behind) < start(one, i) ? behind : i;
    }
  }

  private static long start(Cumulated one, int i) {
    return one.intervals.get(i).startMillis();
  }

  /** What it had counted before the first of the intervals. */
  private void begin(Cumulated one) throws QueryException {
    IntervalSum after = new IntervalSum();
    for (KeptInterval each : one.intervals) {
      add(each, after);
    }
    SparseCounts buckets = new SparseCounts();
    after
        .counts()
        .forEach(
            sum -> {
              buckets.clear();
              sum.counts().forEach(buckets);
              Accumulation total = one.total.sums().of(sum.counts().layout());
              total.counts().subtract(buckets);
              total.sum().subtract(sum.sum().high(), sum.sum().low());
              withoutExtremes(total);
            });
  }

  /** Extremes cannot be subtracted: those of the buckets that are left, which are no narrower. */
  private static void withoutExtremes(Accumulation total) {
    if (total.isEmpty()) {
      total.clear();
      return;
    }
    BucketLayout layout = total.counts().layout();
    long[] extremes = {Long.MAX_VALUE, 0};
    total
        .counts()
        .forEach(
            (index, count) -> {
              extremes[0] = Math.min(extremes[0], layout.lowestValueAt(index));
              extremes[1] = Math.max(extremes[1], layout.highestValueAt(index));
            });
    long min = Math.max(total.min(), extremes[0]);
    long max = Math.min(total.max(), extremes[1]);
    total
        .sumMinMax()
        .set(total.sum().high(), total.sum().low(), total.sumMinMax().isSumExact(), min, max);
  }

  private void add(KeptInterval interval, IntervalSum sum) throws QueryException {
    scope.requireWanted();
    try {
      sum.add(interval);
    } catch (ArithmeticException e) {
      throw QueryException.tooCostly(
          "query", "the counts of all intervals add up to more than 2^63 - 1; ask for fewer");
    }
  }

  @Override
  public List<Element> at(int step, Annotations annotations) throws QueryException {
    List<Element> elements = new ArrayList<>();
    long time = times[step];
    for (Cumulated each : all) {
      for (; each.next < each.intervals.size(); each.next++) {
        KeptInterval interval = each.intervals.get(each.next);
        if (interval.endMillis() > time) {
          break;
        }
        add(interval, each.added);
      }
      if (each.series.fromMillis() <= time) {
        if (isKnown(each, time)) {
          cover(each, time, annotations);
          add(each, elements);
        } else {
          annotations.warn(
              "counts since start are not known for all of this time, as memory does not keep all"
                  + " intervals since");
        }
      }
    }
    return elements;
  }

  /** To tell what a series has now, nobody has to know intervals. */
  private boolean isKnown(Cumulated one, long time) {
    return time >= Math.min(one.knownFrom, scope.nowMillis());
  }

  /** Of an interval that began before and ended after, nobody knows what was counted by then. */
  private static void cover(Cumulated one, long time, Annotations annotations) {
    if (one.next < one.intervals.size()) {
      KeptInterval first = one.intervals.get(one.earliest[one.next]);
      if (first.startMillis() < time) {
        annotations.cover(
            new Coverage(
                first.startMillis(), first.endMillis(), first.endMillis() - first.startMillis()));
        if (first.merged() > 1) {
          annotations.warn(
              "of counts since start some are of up to Hdr-Sidecar-Resolution before: intervals are"
                  + " not cut, and memory keeps those of this time joined");
        }
      }
    }
  }

  private void add(Cumulated one, List<Element> into) throws QueryException {
    one.counts.clear();
    LayoutSums total = one.total.sums();
    try {
      one.added.counts().forEach(sum -> total.of(sum.counts().layout()).add(sum));
      one.added.clear();
      total.addTo(one.counts);
    } catch (ArithmeticException e) {
      throw QueryException.tooCostly(
          "query", "the counts of all layouts add up to more than 2^63 - 1; ask for fewer");
    }
    for (ExposedForm form : one.series.forms()) {
      List<Double> edges =
          form == ExposedForm.BUCKET ? choice.edges(one.series.unit(), scope.edges()) : null;
      HistogramValue value = HistogramValue.of(one.counts, 1, one.series.unit(), edges);
      into.add(Element.of(one.series.labels(form), form, value, one.sorts));
    }
  }

  @Override
  public void close() {
    all.clear();
  }
}
