package io.hdrsidecar.sidecar.selfmetrics;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.receive.ClientFigures;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.vertx.core.VertxOptions;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.spi.VertxMetricsFactory;
import java.util.Collection;
import java.util.function.Supplier;

/**
 * The metrics of every program of ours: those of the process, its JVM, its build and its Vert.x.
 */
public final class SelfMetrics {
  private final MetricRegistry registry = new MetricRegistry();

  /** Those of the process, its JVM and its build. */
  public SelfMetrics(String version) {
    ProcessMetrics.addTo(registry);
    registry.add(() -> MetricSnapshots.of(build(version)));
  }

  private static InfoSnapshot build(String version) {
    String java = System.getProperty("java.version", "unknown");
    return InfoSnapshot.builder()
        .name("hdr_sidecar_build")
        .help("Always 1; says which version runs, and on which Java.")
        .dataPoint(
            InfoDataPointSnapshot.builder()
                .labels(Labels.of("version", version, "java", java))
                .build())
        .build();
  }

  /** Where stages add theirs. */
  public MetricRegistry registry() {
    return registry;
  }

  /** Options that make a Vert.x report to this registry, with {@link #vertxMetricsFactory}. */
  public VertxOptions vertxOptions() {
    return new VertxOptions().setMetricsOptions(new MetricsOptions().setEnabled(true));
  }

  /** Goes into {@code Vertx.builder().with(vertxOptions()).withMetrics(...)}. */
  public VertxMetricsFactory vertxMetricsFactory() {
    return options -> new RequestMetrics(registry);
  }

  /** Shows what the store holds, merged and refused. */
  public void add(SeriesStore store) {
    registry.add(new StoreCollector(store, registry.startMillis()));
  }

  /**
   * Shows what clients report about themselves.
   *
   * @param clients those known now; any thread
   */
  public void addClients(Supplier<Collection<ClientFigures>> clients) {
    registry.add(new ClientHealthCollector(clients));
  }
}
