package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Distribution;
import io.hdrsidecar.sidecar.merge.MetricNames;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The store's series as the Prometheus client's metric snapshots.
 *
 * <p>Each series is read once for its histogram and once per window, into one reused distribution.
 * Labels and metadata are kept from scrape to scrape, since building them costs more than reading
 * the counts. A series that cannot be shown is left out and counted; the page goes on without it.
 * One thread at a time.
 */
final class SeriesFamilies {
  private final SeriesStore store;
  private final ScrapeMeters meters;
  private final Quantiles quantiles;
  private final Map<Unit, ClassicEdges> edges = new EnumMap<>(Unit.class);
  private final NativeBuckets nativeBuckets;
  private final Distribution distribution = new Distribution();

  /** Weak: a series that has ended must not keep its counts until somebody scrapes again. */
  private final Map<Series, SeriesView> views = new WeakHashMap<>();

  private final Map<MetricNames, Family> families = new HashMap<>();
  private long scrape;

  SeriesFamilies(ExposeConfig config, SeriesStore store, ScrapeMeters meters) {
    this.store = store;
    this.meters = meters;
    this.quantiles = new Quantiles(config.quantiles());
    this.nativeBuckets = new NativeBuckets(config.nativeSchema(), config.nativeMaxBuckets());
    for (Unit unit : Unit.values()) {
      edges.put(unit, new ClassicEdges(config.edges(unit), unit));
    }
  }

  /**
   * All series as of now.
   *
   * @param withNative whether native histograms are wanted; only protobuf carries them
   * @param taken names of other metrics on the page
   */
  List<MetricSnapshot> snapshots(boolean withNative, Set<String> taken) {
    scrape++;
    families.values().forEach(Family::clear);
    for (Series series : store.livingSeries()) {
      try {
        read(series, withNative);
      } catch (RuntimeException e) {
        meters.seriesFailed(series.key().toString(), e);
      }
    }
    views.values().removeIf(view -> !view.wasSeen(scrape));
    families.values().removeIf(Family::isEmpty);
    List<MetricSnapshot> snapshots = new ArrayList<>(families.size() * 2);
    families.forEach((names, family) -> append(names, family, taken, snapshots));
    return snapshots;
  }

  private void append(
      MetricNames names, Family family, Set<String> taken, List<MetricSnapshot> snapshots) {
    try {
      if (family.hasNameIn(taken)) {
        throw new IllegalArgumentException("the sidecar has a metric of this name itself");
      }
      family.appendTo(snapshots);
    } catch (RuntimeException e) {
      meters.seriesFailed(names.cumulative(), e);
    }
  }

  private void read(Series series, boolean withNative) {
    SeriesView view =
        views.computeIfAbsent(series, s -> new SeriesView(s, store.windows(), quantiles));
    view.markSeen(scrape);
    Family family = families.computeIfAbsent(series.metricNames(), names -> new Family(series));
    series.readTotal(distribution);
    family.add(histogram(series, view, withNative));
    for (int window = 0; window < store.windows().size(); window++) {
      series.readWindow(window, distribution);
      if (distribution.count() > 0) {
        addQuantiles(series.unit(), view, window, family);
      }
    }
  }

  private HistogramDataPointSnapshot histogram(Series series, SeriesView view, boolean withNative) {
    ClassicEdges classic = edges.get(series.unit());
    if (classic == null) {
      throw new IllegalStateException("no edges for " + series.unit());
    }
    double sum = series.unit().toBaseUnit(distribution.sum().toDouble());
    long createdMillis = series.createdAt().toEpochMilli();
    if (!withNative) {
      return new HistogramDataPointSnapshot(
          classic.bucketsOf(distribution), sum, view.labels(), Exemplars.EMPTY, createdMillis);
    }
    nativeBuckets.readFrom(distribution, series.unit());
    return new HistogramDataPointSnapshot(
        classic.bucketsOf(distribution),
        nativeBuckets.schema(),
        nativeBuckets.zeroCount(),
        NativeSchema.ZERO_THRESHOLD,
        nativeBuckets.positive(),
        NativeHistogramBuckets.EMPTY,
        sum,
        view.labels(),
        Exemplars.EMPTY,
        createdMillis);
  }

  private void addQuantiles(Unit unit, SeriesView view, int window, Family family) {
    quantiles.readFrom(distribution);
    Exemplar none = null;
    for (int q = 0; q < quantiles.size(); q++) {
      family.add(
          new UnknownDataPointSnapshot(
              unit.toBaseUnit((double) quantiles.valueAt(q)), view.windowLabels(window, q), none));
    }
  }
}
