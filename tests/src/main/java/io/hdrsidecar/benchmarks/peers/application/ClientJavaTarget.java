package io.hdrsidecar.benchmarks.peers.application;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.URI;

/** Prometheus' own client: a native histogram with its defaults, scraped in process. */
final class ClientJavaTarget implements EventTarget {
  private static final double NANOS = 1e9;

  private final DistributionDataPoint[] points;
  private final MetricsServer server;

  ClientJavaTarget(int series) throws IOException {
    PrometheusRegistry registry = new PrometheusRegistry();
    Histogram histogram =
        Histogram.builder()
            .name(NAME + "_seconds")
            .nativeOnly()
            .labelNames(LABEL)
            .register(registry);
    this.points = new DistributionDataPoint[series];
    for (int n = 0; n < series; n++) {
      points[n] = histogram.labelValues(Integer.toString(n));
    }
    ExpositionFormats formats = ExpositionFormats.init();
    // As its own HTTP server does: compressed when the scraper takes that.
    this.server =
        new MetricsServer(
            (out, type) -> formats.findWriter(type).write(out, registry.scrape()), true);
  }

  @Override
  public void record(int series, long nanos) {
    points[series].observe(nanos / NANOS);
  }

  @Override
  public URI metrics() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
  }
}
