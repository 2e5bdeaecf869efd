package io.hdrsidecar.benchmarks.peers.application;

import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/**
 * Micrometer timers with percentiles computed in the application, over the last minute: they expire
 * after the registry's step. A digit of precision is the default.
 */
final class MicrometerTarget implements EventTarget {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Timer[] timers;
  private final MetricsServer server;

  MicrometerTarget(int series) throws IOException {
    this.timers = new Timer[series];
    for (int n = 0; n < series; n++) {
      timers[n] =
          Timer.builder(NAME)
              .tag(LABEL, Integer.toString(n))
              .publishPercentiles(0.5, 0.99, 0.999)
              .register(registry);
    }
    // As frameworks serve it unless told otherwise: not compressed.
    this.server = new MetricsServer((out, type) -> registry.scrape(out, type), false);
  }

  @Override
  public void record(int series, long nanos) {
    timers[series].record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public URI metrics() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
    registry.close();
  }
}
