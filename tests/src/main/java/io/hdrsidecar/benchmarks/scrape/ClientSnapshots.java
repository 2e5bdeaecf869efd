package io.hdrsidecar.benchmarks.scrape;

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
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The families of a protobuf page as the Prometheus client's own snapshots, so that its writers
 * have the very same to write.
 */
@SuppressWarnings("NonCanonicalType") // The canonical name of the generated class has a version.
final class ClientSnapshots {
  private ClientSnapshots() {}

  /** Histograms and untyped metrics in seconds; those of the sidecar itself are left out. */
  static MetricSnapshots of(byte[] page) throws IOException {
    List<MetricSnapshot> snapshots = new ArrayList<>();
    ByteArrayInputStream in = new ByteArrayInputStream(page);
    while (in.available() > 0) {
      Metrics.MetricFamily family = Metrics.MetricFamily.parseDelimitedFrom(in);
      if (!family.getName().startsWith("service_")) {
        continue;
      }
      MetricMetadata metadata =
          new MetricMetadata(family.getName(), family.getHelp(), new Unit("seconds"));
      snapshots.add(
          family.getType() == Metrics.MetricType.HISTOGRAM
              ? new HistogramSnapshot(
                  metadata,
                  family.getMetricList().stream().map(ClientSnapshots::histogram).toList())
              : new UnknownSnapshot(
                  metadata,
                  family.getMetricList().stream().map(ClientSnapshots::untyped).toList()));
    }
    return new MetricSnapshots(snapshots);
  }

  private static UnknownDataPointSnapshot untyped(Metrics.Metric metric) {
    Exemplar none = null;
    return new UnknownDataPointSnapshot(metric.getUntyped().getValue(), labels(metric), none);
  }

  private static HistogramDataPointSnapshot histogram(Metrics.Metric metric) {
    Metrics.Histogram histogram = metric.getHistogram();
    int edges = histogram.getBucketCount();
    double[] bounds = new double[edges];
    long[] counts = new long[edges];
    for (int i = 0; i < edges; i++) {
      bounds[i] = histogram.getBucket(i).getUpperBound();
      long before = i == 0 ? 0 : histogram.getBucket(i - 1).getCumulativeCount();
      counts[i] = histogram.getBucket(i).getCumulativeCount() - before;
    }
    return new HistogramDataPointSnapshot(
        ClassicHistogramBuckets.of(bounds, counts),
        histogram.getSchema(),
        histogram.getZeroCount(),
        histogram.getZeroThreshold(),
        positive(histogram),
        NativeHistogramBuckets.EMPTY,
        histogram.getSampleSum(),
        labels(metric),
        Exemplars.EMPTY,
        histogram.getCreatedTimestamp().getSeconds() * 1000
            + histogram.getCreatedTimestamp().getNanos() / 1_000_000);
  }

  private static NativeHistogramBuckets positive(Metrics.Histogram histogram) {
    int size = histogram.getPositiveDeltaCount();
    int[] indexes = new int[size];
    long[] counts = new long[size];
    int at = 0;
    int index = 0;
    long count = 0;
    for (Metrics.BucketSpan span : histogram.getPositiveSpanList()) {
      index += span.getOffset();
      for (int i = 0; i < span.getLength(); i++) {
        count += histogram.getPositiveDelta(at);
        indexes[at] = index++;
        counts[at++] = count;
      }
    }
    return NativeHistogramBuckets.of(indexes, counts);
  }

  private static Labels labels(Metrics.Metric metric) {
    return Labels.of(
        metric.getLabelList().stream().map(Metrics.LabelPair::getName).toList(),
        metric.getLabelList().stream().map(Metrics.LabelPair::getValue).toList());
  }
}
