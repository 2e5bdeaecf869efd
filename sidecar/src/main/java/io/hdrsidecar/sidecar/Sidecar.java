package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.receive.FrameServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A running sidecar. */
public final class Sidecar implements AutoCloseable {
  private static final long START_SECONDS = 30;
  private static final long STOP_SECONDS = 10;

  /** One event loop merges, the others answer HTTP. */
  private static final int EVENT_LOOPS = 2;

  private static final int WORKERS = 2;

  private final SidecarConfig config;
  private final Vertx vertx;
  private final FrameServer frameServer;

  private Sidecar(SidecarConfig config, Vertx vertx, FrameServer frameServer) {
    this.config = config;
    this.vertx = vertx;
    this.frameServer = frameServer;
  }

  /**
   * Starts a sidecar; it takes clients and scrapes when this returns. Blocks; not for event loops.
   *
   * @throws StartFailedException when an address cannot be listened on
   */
  public static Sidecar start(SidecarConfig config) {
    Vertx vertx = vertx();
    try {
      SeriesStore store = new SeriesStore(config.merge());
      FrameServer frameServer = new FrameServer(config.receive(), store);
      await(vertx.deployVerticle(frameServer), START_SECONDS);
      return new Sidecar(config, vertx, frameServer);
    } catch (ExecutionException | TimeoutException e) {
      closeQuietly(vertx);
      throw new StartFailedException("cannot start: " + reason(e), e);
    }
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
  private static Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(EVENT_LOOPS)
            .setWorkerPoolSize(WORKERS)
            .setInternalBlockingPoolSize(WORKERS)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
  }

  private static void await(Future<?> future, long seconds)
      throws ExecutionException, TimeoutException {
    try {
      future.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExecutionException("interrupted", e);
    }
  }

  /** Where clients connect over TCP, with the real port: {@code tcp://127.0.0.1:9924}. */
  public String ingestAddress() {
    return "tcp://" + config.receive().host() + ":" + frameServer.actualPort();
  }

  /** Where clients connect over a Unix socket, if configured: {@code unix:///run/hdr.sock}. */
  public Optional<String> unixAddress() {
    Path path = config.receive().unixSocket();
    return Optional.ofNullable(path).map(p -> "unix://" + p.toAbsolutePath());
  }

  /** What is in force. */
  public SidecarConfig config() {
    return config;
  }

  /** Stops listening, answers what has arrived, and frees everything. Idempotent. */
  @Override
  public void close() {
    closeQuietly(vertx);
  }

  private static void closeQuietly(Vertx vertx) {
    try {
      await(vertx.close(), STOP_SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      System.getLogger(Sidecar.class.getName())
          .log(System.Logger.Level.WARNING, "event=stop_incomplete", e);
    }
  }
}
