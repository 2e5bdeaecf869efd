package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.OtlpConfig;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.otlp.OtlpServer;
import io.hdrsidecar.sidecar.plain.PlainFamilies;
import io.vertx.core.Future;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** OTLP, if it is on; if not, no class of its package is loaded. */
interface OtlpStage {
  /** Starts it, and waits for it. */
  void start(Stages stages) throws ExecutionException, TimeoutException;

  /** Takes nothing more, and completes when what was taken is merged. */
  Future<?> finish();

  /** Its metrics. */
  List<Metric> metrics();

  /**
   * The stage that a configuration asks for.
   *
   * @param plain get counters and gauges; null where nobody keeps any
   */
  static OtlpStage of(
      OtlpConfig config,
      HttpLimits limits,
      SeriesStore store,
      Executor mergeContext,
      HeapShare share,
      MetricRegistry registry,
      @Nullable PlainFamilies plain) {
    return config.isOn()
        ? new OtlpOn(config, limits, store, mergeContext, share, registry, plain)
        : new OtlpOff();
  }

  /** Metrics come by OTLP. */
  final class OtlpOn implements OtlpStage {
    private static final Logger LOG = System.getLogger(OtlpStage.class.getName());

    private final OtlpConfig config;
    private final OtlpServer server;

    OtlpOn(
        OtlpConfig config,
        HttpLimits limits,
        SeriesStore store,
        Executor mergeContext,
        HeapShare share,
        MetricRegistry registry,
        @Nullable PlainFamilies plain) {
      this.config = config;
      server = new OtlpServer(config, limits, store, mergeContext, share, registry, plain);
    }

    @Override
    public void start(Stages stages) throws ExecutionException, TimeoutException {
      stages.start(server, Sidecar.START_SECONDS);
      LOG.log(
          Level.INFO,
          "event=otlp_listening address={0}://{1}/v1/metrics",
          config.access().isEncrypted() ? "https" : "http",
          config.host() + ":" + server.actualPort());
    }

    @Override
    public Future<?> finish() {
      return server.finish();
    }

    @Override
    public List<Metric> metrics() {
      return server.metrics();
    }
  }

  /** None do. */
  final class OtlpOff implements OtlpStage {
    @Override
    public void start(Stages stages) {}

    @Override
    public Future<?> finish() {
      return Future.succeededFuture();
    }

    @Override
    public List<Metric> metrics() {
      return List.of();
    }
  }
}
