package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.http.HttpServerVerticle;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.receive.ClientFigures;
import io.hdrsidecar.sidecar.receive.FrameServer;
import io.hdrsidecar.sidecar.receive.ReceiveCounters;
import io.hdrsidecar.sidecar.selfmetrics.ReceiveFigures;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.hdrsidecar.wire.RejectReason;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.file.FileSystemOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * A running sidecar: one event loop that takes frames and merges them, one that answers HTTP, and
 * the store between them.
 */
public final class Sidecar implements AutoCloseable {
  private static final long START_SECONDS = 30;
  private static final long STOP_SECONDS = 10;
  private static final int EVENT_LOOPS = 2;
  private static final int WORKERS = 2;

  private final SidecarConfig config;
  private final ProcessStatus status;
  private final SelfMetrics selfMetrics;
  private final Vertx vertx;
  private final FrameServer frameServer;
  private final HttpServerVerticle httpServer;
  private final Deque<String> deployed = new ArrayDeque<>();

  private Sidecar(SidecarConfig config) {
    SeriesStore store = new SeriesStore(config.merge());
    this.config = config;
    this.status = new ProcessStatus(config.texts());
    this.selfMetrics = new SelfMetrics(Version.text());
    this.vertx = vertx(selfMetrics);
    this.frameServer = new FrameServer(config.receive(), store);
    this.httpServer =
        new HttpServerVerticle(
            config.http(),
            config.expose(),
            store,
            frameServer.mergeContext(),
            selfMetrics.registry(),
            status);
    selfMetrics.bind(store);
    selfMetrics.bind(figuresOf(frameServer.counters()));
    selfMetrics.bindClients(() -> clientFigures(frameServer));
  }

  /**
   * Starts a sidecar; it takes clients and scrapes when this returns. Blocks; not for event loops.
   *
   * @throws StartFailedException when an address cannot be listened on
   */
  public static Sidecar start(SidecarConfig config) throws StartFailedException {
    Sidecar sidecar = new Sidecar(config);
    try {
      sidecar.deploy(sidecar.frameServer);
      sidecar.deploy(sidecar.httpServer);
      sidecar.status.ready(true);
      return sidecar;
    } catch (ExecutionException | TimeoutException e) {
      sidecar.close();
      throw new StartFailedException("cannot start: " + reason(e), e);
    }
  }

  private void deploy(Deployable stage) throws ExecutionException, TimeoutException {
    deployed.push(await(vertx.deployVerticle(stage), START_SECONDS));
  }

  private static String reason(Exception e) {
    Throwable cause = e.getCause();
    return cause == null
        ? "not ready after " + START_SECONDS + " s"
        : String.valueOf(cause.getMessage());
  }

  /**
   * Nothing is read from the class path or cached in files, so that the file system may be
   * read-only.
   */
  private static Vertx vertx(SelfMetrics selfMetrics) {
    return Vertx.builder()
        .with(
            selfMetrics
                .vertxOptions()
                .setEventLoopPoolSize(EVENT_LOOPS)
                .setWorkerPoolSize(WORKERS)
                .setInternalBlockingPoolSize(WORKERS)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false)))
        .withMetrics(selfMetrics.vertxMetricsFactory())
        .build();
  }

  private static ReceiveFigures figuresOf(ReceiveCounters counters) {
    Map<String, LongSupplier> lost =
        ReceiveCounters.LOSING_REASONS.stream()
            .collect(
                Collectors.toMap(RejectReason::label, reason -> () -> counters.lostValues(reason)));
    return new ReceiveFigures(
        counters::bytes,
        counters::frames,
        counters::duplicates,
        counters::connectionsAccepted,
        counters::connections,
        counters::instances,
        lost);
  }

  private static Map<String, Map<String, Long>> clientFigures(FrameServer frameServer) {
    return frameServer.health().clients().stream()
        .collect(Collectors.toMap(c -> c.instance().toString(), ClientFigures::figures));
  }

  private static <T> T await(Future<T> future, long seconds)
      throws ExecutionException, TimeoutException {
    try {
      return future.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExecutionException("interrupted", e);
    }
  }

  /** Where clients connect over TCP, with the real port: {@code tcp://127.0.0.1:9924}. */
  public String ingestAddress() {
    return "tcp://" + hostPart(config.receive().host()) + ":" + frameServer.actualPort();
  }

  /** Where clients connect over a Unix socket, if configured: {@code unix:///run/hdr.sock}. */
  public Optional<String> unixAddress() {
    Path path = config.receive().unixSocket();
    return Optional.ofNullable(path).map(p -> "unix://" + p.toAbsolutePath());
  }

  /** Where HTTP is served, with the real port: {@code http://127.0.0.1:9925}. */
  public URI httpAddress() {
    return URI.create("http://" + hostPart(config.http().host()) + ":" + httpServer.actualPort());
  }

  private static String hostPart(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** What is in force. */
  public SidecarConfig config() {
    return config;
  }

  /** Stops the stages in reverse order and frees everything. Idempotent. */
  @Override
  public void close() {
    status.ready(false);
    while (!deployed.isEmpty()) {
      waitFor(vertx.undeploy(deployed.pop()));
    }
    waitFor(vertx.close());
    selfMetrics.close();
  }

  private static void waitFor(Future<Void> stopping) {
    try {
      await(stopping, STOP_SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      System.getLogger(Sidecar.class.getName())
          .log(System.Logger.Level.WARNING, "event=stop_incomplete", e);
    }
  }
}
