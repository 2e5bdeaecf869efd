package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.StatsdConfig;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.statsd.StatsdServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/** StatsD, if it is on; if not, no class of its package is loaded. */
interface StatsdStage {
  /** Starts it, and waits for it. */
  void start(Stages stages) throws ExecutionException, TimeoutException;

  /** Takes nothing more, and merges what was taken. */
  Future<?> finish();

  /**
   * Reads what a changed configuration says of it. Blocks.
   *
   * @param prepared gets what puts it in force
   * @param problems gets what is wrong, one line each
   * @return whether the mapping file has other rules
   */
  boolean prepare(StatsdConfig next, List<Runnable> prepared, List<String> problems);

  /** Its metrics. */
  List<Metric> metrics();

  /** Counters and gauges as families, where they are kept. */
  Optional<MultiCollector> plain();

  /** The stage that a configuration asks for. */
  static StatsdStage of(
      StatsdConfig config,
      SeriesStore store,
      Executor mergeContext,
      HeapShare share,
      Duration idleExpiry) {
    return config.isOn() ? new On(config, store, mergeContext, share, idleExpiry) : new Off();
  }

  /** Values come by StatsD. */
  final class On implements StatsdStage {
    private final StatsdServer server;

    On(
        StatsdConfig config,
        SeriesStore store,
        Executor mergeContext,
        HeapShare share,
        Duration idleExpiry) {
      server = new StatsdServer(config, store, mergeContext, share, idleExpiry);
    }

    @Override
    public void start(Stages stages) throws ExecutionException, TimeoutException {
      stages.start(server, Sidecar.START_SECONDS);
    }

    @Override
    public Future<?> finish() {
      return server.finish();
    }

    @Override
    public boolean prepare(StatsdConfig next, List<Runnable> prepared, List<String> problems) {
      Runnable change = server.prepare(next.mappingFile(), problems);
      if (change != null) {
        prepared.add(change);
      }
      return change != null;
    }

    @Override
    public List<Metric> metrics() {
      return server.metrics();
    }

    @Override
    public Optional<MultiCollector> plain() {
      return server.plain();
    }
  }

  /** None do. */
  final class Off implements StatsdStage {
    @Override
    public void start(Stages stages) {}

    @Override
    public Future<?> finish() {
      return Future.succeededFuture();
    }

    @Override
    public boolean prepare(StatsdConfig next, List<Runnable> prepared, List<String> problems) {
      return false;
    }

    @Override
    public List<Metric> metrics() {
      return List.of();
    }

    @Override
    public Optional<MultiCollector> plain() {
      return Optional.empty();
    }
  }
}
