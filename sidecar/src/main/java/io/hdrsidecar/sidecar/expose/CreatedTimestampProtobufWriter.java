package io.hdrsidecar.sidecar.expose;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.expositionformats.internal.PrometheusProtobufWriterImpl;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * The Prometheus client's protobuf writer, and what it leaves out: the created timestamps of
 * histograms (https://github.com/prometheus/client_java/issues/1498; counters have theirs). Without
 * them Prometheus cannot tell a new histogram from one it has missed scrapes of.
 */
final class CreatedTimestampProtobufWriter implements ExpositionFormatWriter {
  private final PrometheusProtobufWriter client = new PrometheusProtobufWriter();
  private final PrometheusProtobufWriterImpl converter = new PrometheusProtobufWriterImpl();

  @Override
  public boolean accepts(String acceptHeader) {
    return client.accepts(acceptHeader);
  }

  @Override
  public String getContentType() {
    return client.getContentType();
  }

  @Override
  public void write(OutputStream out, MetricSnapshots snapshots, EscapingScheme escaping)
      throws IOException {
    for (MetricSnapshot snapshot : snapshots) {
      if (snapshot instanceof HistogramSnapshot histograms) {
        write(out, histograms, escaping);
      } else {
        client.write(out, new MetricSnapshots(snapshot), escaping);
      }
    }
  }

  private void write(OutputStream out, HistogramSnapshot histograms, EscapingScheme escaping)
      throws IOException {
    List<HistogramDataPointSnapshot> points = histograms.getDataPoints();
    var family = converter.convert(histograms, escaping).toBuilder();
    for (int i = 0; i < points.size(); i++) {
      long millis = points.get(i).getCreatedTimestampMillis();
      if (millis != 0) {
        family
            .getMetricBuilder(i)
            .getHistogramBuilder()
            .getCreatedTimestampBuilder()
            .setSeconds(Math.floorDiv(millis, 1000L))
            .setNanos(Math.floorMod(millis, 1000) * 1_000_000);
      }
    }
    family.build().writeDelimitedTo(out);
  }
}
