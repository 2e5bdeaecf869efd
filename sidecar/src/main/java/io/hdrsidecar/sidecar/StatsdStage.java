package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.StatsdConfig;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.plain.PlainFamilies;
import io.hdrsidecar.sidecar.statsd.StatsdServer;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

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

  /**
   * The stage that a configuration asks for.
   *
   * @param plain get counters and gauges; null where nobody keeps any
   */
  static StatsdStage of(
      StatsdConfig config,
      SeriesStore store,
      Executor mergeContext,
      HeapShare share,
      @Nullable PlainFamilies plain) {
    return config.isOn()
        ? new StatsdOn(config, store, mergeContext, share, plain)
        : new StatsdOff();
  }

  /** Values come by StatsD. */
  final class StatsdOn implements StatsdStage {
    private final StatsdServer server;

    StatsdOn(
        StatsdConfig config,
        SeriesStore store,
        Executor mergeContext,
        HeapShare share,
        @Nullable PlainFamilies plain) {
      server = new StatsdServer(config, store, mergeContext, share, plain);
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
  }

  /** None do. */
  final class StatsdOff implements StatsdStage {
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
  }
}
