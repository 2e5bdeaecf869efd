package io.hdrsidecar.sidecar.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.config.OtlpConfig;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** OTLP's server above a store, on a free port, with a body of 64 KiB and a share of 8 MiB. */
final class OtlpListener implements AutoCloseable {
  final Vertx vertx = Vertx.vertx();
  final SeriesStore store = new SeriesStore(MergeConfig.defaults());
  final HeapShare share = HeapBudget.of(8L << 30).share(HeapBudget.Use.SCRAPES).atMost(8 << 20);
  final MetricRegistry registry = new MetricRegistry();
  private OtlpServer server;

  OtlpListener() {
    this(Map.of());
  }

  /** With other limits of HTTP. */
  OtlpListener(Map<String, String> limits) {
    server = start(AccessConfig.OPEN, SettingRecords.of(HttpLimits.class, limits));
  }

  private OtlpServer start(AccessConfig access, HttpLimits limits) {
    OtlpConfig config =
        SettingRecords.of(
            OtlpConfig.class,
            Map.of("otlp.address", "127.0.0.1:0", "otlp.max-body", "64KiB"),
            access);
    OtlpServer starting =
        new OtlpServer(
            config,
            limits,
            store,
            task -> vertx.runOnContext(v -> task.run()),
            share,
            registry,
            null);
    vertx.deployVerticle(starting).await();
    return starting;
  }

  /** The port of another server above the same store, which asks for a token. */
  int another(Path tokens) {
    server = start(new AccessConfig(null, tokens), HttpLimits.defaults());
    return port();
  }

  /** Takes nothing more, and ends when what came is answered. */
  Future<?> finish() {
    return server.finish();
  }

  int port() {
    return server.actualPort();
  }

  /** How many values were merged. */
  long values() {
    return store.status().values();
  }

  /** A metric, or the sum of them if no label is given. */
  double value(String name, @Nullable String label) {
    return server.metrics().stream()
        .filter(m -> m.name().equals(name))
        .filter(m -> label == null || m.labels().contains(label))
        .mapToDouble(m -> m.value().getAsDouble())
        .sum();
  }

  /** How many connections were ended. */
  long closed(String reason) {
    return registry.counter("http.connections.closed", "", "reason", reason).sum();
  }

  @Override
  public void close() {
    vertx.close().await();
    assertThat(share.heldBytes()).as("held after the end").isZero();
  }
}
