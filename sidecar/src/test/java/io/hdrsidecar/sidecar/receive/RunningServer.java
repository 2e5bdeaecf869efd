package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.StoreClock;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A frame server on a free port, with its store. */
final class RunningServer implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final SeriesStore store;
  private final FrameServer server;

  RunningServer() {
    this(ReceiveLimits.defaults(), MergeConfig.defaults(), null);
  }

  RunningServer(ReceiveLimits limits, MergeConfig merge, @Nullable Path unixSocket) {
    this(new ReceiveConfig("127.0.0.1", 0, unixSocket, limits), merge);
  }

  RunningServer(ReceiveConfig config, MergeConfig merge) {
    this(config, merge, IntervalLog.NONE);
  }

  RunningServer(ReceiveConfig config, MergeConfig merge, IntervalLog log) {
    this(config, merge, log, HeapBudget.ofThisProcess());
  }

  RunningServer(ReceiveConfig config, MergeConfig merge, IntervalLog log, HeapBudget heap) {
    store = new SeriesStore(merge);
    server = new FrameServer(config, store, log, Map.of(), List.of(), heap);
    try {
      await(vertx.deployVerticle(server));
      new StoreClock(vertx, server.mergeContext(), store, server::sweep).start();
    } catch (CompletionException e) {
      close();
      throw e;
    }
  }

  private static void await(Future<?> future) {
    future.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  FrameServer server() {
    return server;
  }

  SeriesStore store() {
    return store;
  }

  FrameClient connect() throws Exception {
    return new FrameClient(server.actualPort());
  }

  /** Connected and welcomed as a new instance. */
  FrameClient welcomed(String... commonLabels) throws Exception {
    FrameClient client = connect();
    client.hello(InstanceId.random(), commonLabels);
    return client;
  }

  Distribution total(String name, String... labels) {
    Series series = store.find(new SeriesKey(name, Labels.of(labels))).orElseThrow();
    Distribution total = new Distribution();
    series.readTotal(total);
    return total;
  }

  long rejected(RejectReason reason) {
    return store.rejected().getOrDefault(reason, 0L);
  }

  /** Waits for something that another thread is about to do. */
  static void eventually(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(45);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("did not happen within 45 s");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
