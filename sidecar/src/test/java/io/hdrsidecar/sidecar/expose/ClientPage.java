package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.expositionformats.generated.Metrics;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Unit;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The series of a store as the Prometheus client writes them: what our pages are held against. */
@SuppressWarnings("NonCanonicalType") // The canonical name of the generated class has a version.
final class ClientPage {
  private final SeriesStore store;
  private final ExposeConfig config;

  ClientPage(SeriesStore store, ExposeConfig config) {
    this.store = store;
    this.config = config;
  }

  byte[] write(ExpositionFormatWriter writer, EscapingScheme escaping) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(out, new MetricSnapshots(snapshots()), escaping);
    return out.toByteArray();
  }

  /**
   * In protobuf, with the created timestamps that the client leaves out. All series must have been
   * created at the same time.
   */
  byte[] writeProtobuf(EscapingScheme escaping) throws IOException {
    byte[] written = write(new PrometheusProtobufWriter(), escaping);
    long millis = store.series().iterator().next().createdAt().toEpochMilli();
    ByteArrayInputStream in = new ByteArrayInputStream(written);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (in.available() > 0) {
      Metrics.MetricFamily.Builder family = Metrics.MetricFamily.parseDelimitedFrom(in).toBuilder();
      for (int i = 0; i < family.getMetricCount(); i++) {
        if (family.getMetric(i).hasHistogram()) {
          family
              .getMetricBuilder(i)
              .getHistogramBuilder()
              .getCreatedTimestampBuilder()
              .setSeconds(millis / 1000)
              .setNanos((int) (millis % 1000) * 1_000_000);
        }
      }
      family.build().writeDelimitedTo(out);
    }
    return out.toByteArray();
  }

  private List<MetricSnapshot> snapshots() {
    Map<String, List<Series>> byName = new TreeMap<>();
    store
        .series()
        .forEach(s -> byName.computeIfAbsent(s.key().name(), name -> new ArrayList<>()).add(s));
    List<MetricSnapshot> all = new ArrayList<>();
    for (List<Series> family : byName.values()) {
      Series first = family.get(0);
      String name = first.key().name();
      String baseUnit = first.unit().baseUnit();
      Unit unit = baseUnit.isEmpty() ? null : new Unit(baseUnit);
      String help = first.help().isEmpty() ? "Distribution of " + name + "." : first.help();
      all.add(
          new HistogramSnapshot(
              new MetricMetadata(first.metricNames().cumulative(), help, unit),
              family.stream().map(this::histogram).toList()));
      List<UnknownDataPointSnapshot> quantiles =
          family.stream().flatMap(series -> quantiles(series).stream()).toList();
      if (!quantiles.isEmpty()) {
        all.add(
            new UnknownSnapshot(
                new MetricMetadata(
                    first.metricNames().window(),
                    "Quantiles of " + name + " in a sliding window; quantile 1 is the maximum.",
                    unit),
                quantiles));
      }
    }
    return all;
  }

  private HistogramDataPointSnapshot histogram(Series series) {
    Distribution distribution = new Distribution();
    series.readTotal(distribution);
    List<Double> edges = config.edges(series.unit());
    double[] bounds = new double[edges.size() + 1];
    long[] counts = new long[edges.size() + 1];
    for (int i = 0; i < edges.size(); i++) {
      bounds[i] = edges.get(i);
    }
    bounds[edges.size()] = Double.POSITIVE_INFINITY;
    NavigableMap<Integer, Long> buckets = new TreeMap<>();
    long zeros = 0;
    for (int i = 0; i < distribution.size(); i++) {
      double highest = series.unit().toBaseUnit((double) distribution.highestAt(i));
      int edge = 0;
      while (highest > bounds[edge]) {
        edge++;
      }
      counts[edge] += distribution.countAt(i);
      if (highest == 0) {
        zeros += distribution.countAt(i);
      } else {
        int index = NativeSchema.indexOf(highest, config.nativeSchema());
        buckets.merge(index, distribution.countAt(i), Long::sum);
      }
    }
    int schema = config.nativeSchema();
    for (; buckets.size() > config.nativeMaxBuckets() && schema > -4; schema--) {
      NavigableMap<Integer, Long> coarser = new TreeMap<>();
      buckets.forEach((i, n) -> coarser.merge(Math.floorDiv(i - 1, 2) + 1, n, Long::sum));
      buckets = coarser;
    }
    int[] indexes = buckets.keySet().stream().mapToInt(i -> i).toArray();
    long[] nativeCounts = buckets.values().stream().mapToLong(n -> n).toArray();
    return new HistogramDataPointSnapshot(
        ClassicHistogramBuckets.of(bounds, counts),
        schema,
        zeros,
        NativeSchema.ZERO_THRESHOLD,
        NativeHistogramBuckets.of(indexes, nativeCounts),
        NativeHistogramBuckets.EMPTY,
        series.unit().toBaseUnit(distribution.sum().toDouble()),
        labels(series),
        Exemplars.EMPTY,
        series.createdAt().toEpochMilli());
  }

  private List<UnknownDataPointSnapshot> quantiles(Series series) {
    List<UnknownDataPointSnapshot> points = new ArrayList<>();
    Quantiles quantiles = new Quantiles(config.quantiles());
    Distribution distribution = new Distribution();
    Exemplar none = null;
    for (int w = 0; w < store.windows().size(); w++) {
      series.readWindow(w, distribution);
      for (int q = 0; q < quantiles.size() && distribution.count() > 0; q++) {
        double percentile =
            BigDecimal.valueOf(config.quantiles().get(q)).movePointRight(2).doubleValue();
        long value = distribution.withinExtremes(distribution.valueAtPercentile(percentile));
        points.add(
            new UnknownDataPointSnapshot(
                series.unit().toBaseUnit((double) value),
                labels(series)
                    .add("quantile", quantiles.labelAt(q))
                    .add("window", store.windows().get(w).name()),
                none));
      }
    }
    return points;
  }

  private static Labels labels(Series series) {
    Map<String, String> labels = series.key().labels().asMap();
    return Labels.of(List.copyOf(labels.keySet()), List.copyOf(labels.values()));
  }
}
