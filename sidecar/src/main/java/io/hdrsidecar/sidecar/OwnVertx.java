package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.access.Handshakes;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.internal.VertxInternal;
import java.lang.System.Logger.Level;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The Vert.x that a program of ours runs on. */
public final class OwnVertx {
  private static final int EVENT_LOOPS = 2;
  private static final int WORKERS = 2;

  /** Vert.x looks each second if nothing is said, which is much of what a process at rest does. */
  private static final int BLOCKED_CHECK_SECONDS = 10;

  private OwnVertx() {}

  /**
   * Begins one. Nothing is read from the class path or cached in files, so that the file system may
   * be read-only.
   *
   * @param selfMetrics to which it reports
   * @param handshakes what those who have not proved anything yet may hold
   */
  public static Vertx start(SelfMetrics selfMetrics, HeapShare handshakes) {
    Vertx vertx =
        Vertx.builder()
            .with(
                selfMetrics
                    .vertxOptions()
                    .setEventLoopPoolSize(EVENT_LOOPS)
                    .setWorkerPoolSize(WORKERS)
                    .setInternalBlockingPoolSize(WORKERS)
                    .setBlockedThreadCheckInterval(BLOCKED_CHECK_SECONDS)
                    .setBlockedThreadCheckIntervalUnit(TimeUnit.SECONDS)
                    .setFileSystemOptions(
                        new FileSystemOptions()
                            .setFileCachingEnabled(false)
                            .setClassPathResolvingEnabled(false)))
            .withMetrics(selfMetrics.vertxMetricsFactory())
            .withTransport(new Handshakes(handshakes).transport())
            .build();
    vertx.exceptionHandler(OwnVertx::unhandled);
    letRest(((VertxInternal) vertx).acceptorEventLoopGroup());
    letRest(((VertxInternal) vertx).nettyEventLoopGroup());
    return vertx;
  }

  /** Netty's loops wake once a second while they have no task to wait for, so each has one. */
  private static void letRest(EventLoopGroup loops) {
    for (EventExecutor loop : loops) {
      Future<?> unused = loop.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.DAYS);
    }
  }

  private static void unhandled(Throwable error) {
    OutOfMemory.endIfIn(error);
    System.getLogger(OwnVertx.class.getName()).log(Level.ERROR, "event=unhandled", error);
  }
}
