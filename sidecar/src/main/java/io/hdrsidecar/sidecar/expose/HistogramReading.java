package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.reading.CountsReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One series' counts since start as a page tells them, in the base unit: classic buckets at the
 * configured edges, the native histogram, count and sum. Filled anew for each series; one thread at
 * a time.
 */
final class HistogramReading implements CountsReader {
  /** Layouts are few; a client with more pays with ranges made again. */
  private static final int MAX_RANGES = 16;

  private record Place(BucketLayout layout, Unit unit) {}

  private final ExposeConfig config;
  private final boolean withNative;
  private final Map<Place, BucketRanges> ranges;
  private final BucketRanges.LongScratch scratch = new BucketRanges.LongScratch();
  private final NativeBuckets nativeBuckets;
  private final ExactSum exactSum = new ExactSum();
  private Unit unit = Unit.NONE;
  private List<Double> edges = List.of();
  private long[] classic = {0};
  private long createdMillis;
  private List<Exemplar> exemplars = List.of();

  HistogramReading(ExposeConfig config, boolean withNative) {
    this(config, withNative, new ConcurrentHashMap<>());
  }

  private HistogramReading(
      ExposeConfig config, boolean withNative, Map<Place, BucketRanges> ranges) {
    this.config = config;
    this.withNative = withNative;
    this.ranges = ranges;
    this.nativeBuckets = new NativeBuckets(config.nativeSchema(), config.nativeMaxBuckets());
  }

  /** Becomes what was counted for this series. */
  void readFrom(Series series) {
    begin(series.unit());
    series.readTotal(this);
    createdMillis = series.createdAt().toEpochMilli();
    exemplars = series.exemplars();
    end();
  }

  /** Before counts of this unit are read. */
  void begin(Unit ofCounts) {
    unit = ofCounts;
    edges = config.edges(unit);
    if (classic.length != edges.size() + 1) {
      classic = new long[edges.size() + 1];
    }
    clear();
  }

  @Override
  public void clear() {
    Arrays.fill(classic, 0);
    nativeBuckets.clear();
    exactSum.clear();
  }

  @Override
  public void add(PagedCounts counts, SumMinMax sumMinMax) {
    if (counts.total() != 0) {
      rangesOf(counts.layout())
          .read(counts, sumMinMax.min(), sumMinMax.max(), classic, nativeBuckets, scratch);
      exactSum.add(sumMinMax.sum());
    }
  }

  private BucketRanges rangesOf(BucketLayout layout) {
    Place place = new Place(layout, unit);
    BucketRanges known = ranges.get(place);
    if (known != null) {
      return known;
    }
    if (ranges.size() >= MAX_RANGES) {
      ranges.clear();
    }
    BucketRanges made = new BucketRanges(layout, unit, edges, withNative, config.nativeSchema());
    ranges.put(place, made);
    return made;
  }

  @Override
  public CountsReader another() {
    HistogramReading another = new HistogramReading(config, withNative, ranges);
    another.begin(unit);
    return another;
  }

  @Override
  public void takeOver(CountsReader filled) {
    HistogramReading other = (HistogramReading) filled;
    clear();
    System.arraycopy(other.classic, 0, classic, 0, classic.length);
    nativeBuckets.addZero(other.nativeBuckets.zeroCount());
    for (int i = 0; i < other.nativeBuckets.size(); i++) {
      nativeBuckets.add(other.nativeBuckets.indexAt(i), other.nativeBuckets.countAt(i));
    }
    exactSum.set(other.exactSum);
  }

  /** When all counts are read. */
  void end() {
    nativeBuckets.fit();
  }

  /** Number of classic edges, the infinite one included. */
  int edges() {
    return classic.length;
  }

  /** A classic edge, in the base unit. */
  double edgeAt(int i) {
    return i < edges.size() ? edges.get(i) : Double.POSITIVE_INFINITY;
  }

  /** How many values are counted at or below an edge. */
  long cumulativeAt(int i) {
    return classic[i];
  }

  /** Only in formats that have them. */
  NativeBuckets nativeBuckets() {
    return nativeBuckets;
  }

  long count() {
    return classic[classic.length - 1];
  }

  double sum() {
    return unit.toBaseUnit(exactSum.toDouble());
  }

  long createdMillis() {
    return createdMillis;
  }

  /** All exemplars; their values in the unit of the series. */
  List<Exemplar> exemplars() {
    return exemplars;
  }

  /** The slowest exemplar above the edge before and not above this one, if there is one. */
  @Nullable Exemplar exemplarAt(int edge) {
    if (exemplars.isEmpty()) { // Most have none, and this is asked for each edge of each series.
      return null;
    }
    double above = edge == 0 ? Double.NEGATIVE_INFINITY : edgeAt(edge - 1);
    Exemplar slowest = null;
    for (Exemplar exemplar : exemplars) {
      double value = valueOf(exemplar);
      if (value > above
          && value <= edgeAt(edge)
          && (slowest == null || exemplar.value() > slowest.value())) {
        slowest = exemplar;
      }
    }
    return slowest;
  }

  /** The value of an exemplar, in the base unit. */
  double valueOf(Exemplar exemplar) {
    return unit.toBaseUnit((double) exemplar.value());
  }
}
