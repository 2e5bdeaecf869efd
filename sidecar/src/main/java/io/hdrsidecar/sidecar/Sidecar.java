package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.api.HttpContext;
import io.hdrsidecar.sidecar.api.HttpServerVerticle;
import io.hdrsidecar.sidecar.api.Reload;
import io.hdrsidecar.sidecar.config.ConfigReader;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.hiccup.HiccupControl;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.journal.Journal;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.journal.JournalTail;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.plain.PlainFamilies;
import io.hdrsidecar.sidecar.receive.FrameServer;
import io.hdrsidecar.sidecar.receive.PickupFolder;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.hdrsidecar.sidecar.sla.SlaCollector;
import io.hdrsidecar.sidecar.sla.SlaEvaluator;
import io.hdrsidecar.sidecar.upstream.Upstream;
import io.hdrsidecar.sidecar.upstream.UpstreamConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A running sidecar: one event loop that takes frames and merges them, one that answers HTTP, and
 * the store between them.
 */
public final class Sidecar implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Sidecar.class.getName());

  /** How long a stage may take to start. */
  public static final long START_SECONDS = 30;

  /** How long one may take to stop. */
  public static final Duration STOP_TIME = Duration.ofSeconds(10);

  private final SidecarConfig config;
  private final ProcessStatus status;
  private final Reloader reloader;
  private final SelfMetrics selfMetrics;
  private final @Nullable Journal journal;
  private final @Nullable Upstream upstream;
  private final FrameServer frameServer;
  private final StatsdStage statsd;
  private final OtlpStage otlp;
  private final ExportStage export;
  private final StoreClock storeClock;
  private final HttpServerVerticle httpServer;
  private final OwnHiccups ownHiccups;
  private final SlaEvaluator slas;
  private final Stages stages;

  private Sidecar(SidecarConfig config, Reloader reloader) throws IOException {
    this.selfMetrics = new SelfMetrics(Version.text());
    HeapBudget heap = AllowedMemory.heapFor(config);
    selfMetrics.registry().add(Logging.metrics());
    SeriesStore store = new SeriesStore(config.merge());
    if (config.history().maxBytes() > 0) {
      History history = new History(config.history().maxBytes());
      store.past().keepIn(history);
      selfMetrics.registry().add(history.metrics());
    }
    this.upstream = openUpstream(config, heap);
    this.journal = openJournal(config, store, upstream == null ? JournalTail.NONE : upstream);
    if (upstream != null) {
      upstream.follow(store);
    }
    this.config = config;
    this.reloader = reloader;
    MemoryBound bound = AllowedMemory.of(config, heap);
    this.status = new ProcessStatus(reloader::texts, bound, store::memory, reloader::trouble);
    Vertx vertx = OwnVertx.start(selfMetrics, heap.share(Use.HTTP));
    this.stages = new Stages(vertx);
    this.frameServer =
        new FrameServer(
            config.receive(),
            store,
            store.log(),
            journal == null ? Map.of() : journal.remembered(),
            PickupFolder.of(config.spill(), config.crash()),
            heap);
    PlainFamilies plain = plainFamilies(config, store);
    this.statsd =
        StatsdStage.of(
            config.statsd(), store, frameServer.mergeContext(), heap.share(Use.STATSD), plain);
    this.otlp =
        OtlpStage.of(
            config.otlp(),
            config.http().limits(),
            store,
            frameServer.mergeContext(),
            heap.share(Use.OTLP),
            selfMetrics.registry(),
            plain);
    this.export = ExportStage.of(config.export(), store, heap.share(Use.EXPORT));
    this.ownHiccups = new OwnHiccups(config.ownHiccups(), frameServer.mergeContext(), store);
    this.storeClock = new StoreClock(vertx, frameServer.mergeContext(), store, this::passSecond);
    this.slas = new SlaEvaluator(store, InstantSource.system());
    slas.begin(config.slas());
    this.httpServer =
        new HttpServerVerticle(
            config.http(),
            config.expose(),
            new HttpContext(
                store, frameServer.mergeContext(), selfMetrics.registry(), status, slas, heap),
            reloader);
    reloader.bind(frameServer, httpServer, slas, statsd);
    selfMetrics.registry().add(new SlaCollector(slas));
    selfMetrics.add(store);
    selfMetrics.registry().add(bound.metrics());
    selfMetrics.registry().add(reloader.metrics());
    selfMetrics.registry().add(heap.metrics());
    selfMetrics.registry().add(frameServer.counters().metrics());
    if (journal != null) {
      selfMetrics.registry().add(journal.metrics());
      status.watch(journal::status);
    }
    if (upstream != null) {
      selfMetrics.registry().add(upstream.metrics());
      status.watchUpstream(upstream::status);
    }
    selfMetrics.registry().add(statsd.metrics());
    if (plain != null) {
      selfMetrics.registry().add(plain);
    }
    selfMetrics.registry().add(otlp.metrics());
    selfMetrics.registry().add(export.metrics());
    selfMetrics.registry().add(frameServer.pickupMetrics());
    selfMetrics.addClients(frameServer.health()::clients);
  }

  private static @Nullable PlainFamilies plainFamilies(SidecarConfig config, SeriesStore store) {
    return config.statsd().keepsPlain() || config.otlp().keepsPlain()
        ? new PlainFamilies(config.merge().idleExpiry(), store)
        : null;
  }

  /**
   * Starts a sidecar; it takes clients and scrapes when this returns. Blocks; not for event loops.
   *
   * <p>With a journal, what it has is counted again before anything listens.
   *
   * @throws StartFailedException when an address cannot be listened on, or the journal cannot be
   *     read or belongs to another sidecar
   */
  public static Sidecar start(SidecarConfig config) throws StartFailedException {
    return start(config, () -> config);
  }

  /**
   * The same, able to read its configuration again.
   *
   * @param reader reads it, for each call of {@link #reload()}
   * @throws StartFailedException as above
   */
  public static Sidecar start(SidecarConfig config, ConfigReader reader)
      throws StartFailedException {
    Sidecar sidecar;
    try {
      sidecar = new Sidecar(config, new Reloader(config, reader));
    } catch (IOException e) {
      throw new StartFailedException("cannot start: " + CauseText.of(e), e);
    }
    try {
      sidecar.stages.start(sidecar.frameServer, START_SECONDS);
      sidecar.storeClock.start();
      sidecar.startUpstream();
      sidecar.ownHiccups.start();
      sidecar.statsd.start(sidecar.stages);
      sidecar.otlp.start(sidecar.stages);
      sidecar.slas.start();
      sidecar.stages.start(sidecar.httpServer, START_SECONDS);
      sidecar.export.start();
      sidecar.status.ready(true);
      return sidecar;
    } catch (ExecutionException | TimeoutException e) {
      sidecar.close();
      boolean isConfiguration = e.getCause() instanceof ListenException l && !l.mayPass();
      throw new StartFailedException("cannot start: " + reason(e), isConfiguration, e);
    }
  }

  private static @Nullable Upstream openUpstream(SidecarConfig config, HeapBudget heap)
      throws IOException {
    UpstreamConfig upstreamConfig = config.upstream();
    JournalConfig journal = config.journal();
    Path folder = journal == null ? null : journal.directory();
    if (upstreamConfig == null) {
      if (folder != null) {
        Upstream.warnIfLeft(folder);
      }
      return null;
    }
    boolean fsync = journal != null && journal.fsync();
    return Upstream.open(upstreamConfig, folder, fsync, heap, HiccupControl::isOwn);
  }

  private void startUpstream() {
    if (upstream != null) {
      upstream.start(frameServer.mergeContext(), frameServer.sidecarId(), frameServer::above);
    }
  }

  private static @Nullable Journal openJournal(
      SidecarConfig config, SeriesStore store, JournalTail tail) throws IOException {
    JournalConfig journalConfig = config.journal();
    return journalConfig == null
        ? null
        : Journal.open(
            journalConfig, store, InstantSource.system(), config.history().readsJournal(), tail);
  }

  private void passSecond() {
    frameServer.sweep();
    ownHiccups.harvest();
  }

  /** Why a stage did not start. */
  public static String reason(Exception e) {
    Throwable cause = e.getCause();
    return cause == null ? "not ready after " + START_SECONDS + " s" : CauseText.of(cause);
  }

  static <T> T await(Future<T> future, long seconds) throws ExecutionException, TimeoutException {
    try {
      return future.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExecutionException("interrupted", e);
    }
  }

  /** Where clients connect over TCP, with the real port: {@code tcp://127.0.0.1:9924}. */
  public String ingestAddress() {
    return (config.receive().access().isEncrypted() ? "tls://" : "tcp://")
        + hostPart(config.receive().host())
        + ":"
        + frameServer.actualPort();
  }

  /** Where clients connect over a Unix socket, if configured: {@code unix:///run/hdr.sock}. */
  public Optional<String> unixAddress() {
    Path path = config.receive().unixSocket();
    return Optional.ofNullable(path).map(p -> "unix://" + p.toAbsolutePath());
  }

  /** Where HTTP is served, with the real port: {@code http://127.0.0.1:9925}. */
  public URI httpAddress() {
    String scheme = config.http().access().isEncrypted() ? "https://" : "http://";
    return URI.create(scheme + hostPart(config.http().host()) + ":" + httpServer.actualPort());
  }

  /** Where a browser on this machine finds the explorer; empty when it is not served. */
  public Optional<URI> explorerAddress() {
    if (!config.http().explorer()) {
      return Optional.empty();
    }
    String bound = config.http().host();
    String host = Set.of("0.0.0.0", "::").contains(bound) ? "localhost" : hostPart(bound);
    URI http = httpAddress();
    return Optional.of(URI.create(http.getScheme() + "://" + host + ":" + http.getPort() + "/"));
  }

  private static String hostPart(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** The configuration in force. */
  public SidecarConfig config() {
    return config;
  }

  /** Every setting as it is in force, by key. */
  Map<String, String> settings() {
    return reloader.texts();
  }

  /** The action that reads the configuration again. Blocks; not for event loops. */
  public Reload reload() {
    return reloader;
  }

  /**
   * Ends in order: takes no more clients, gives those that are connected time to finish, hands on
   * what they sent, waits for one more scrape, so that it is seen, and closes. Clients and scrape
   * may take half of the time configured each; with none they are not waited for.
   */
  public void drain() {
    status.ready(false);
    waitFor(Future.join(statsd.finish(), otlp.finish()), STOP_TIME);
    Duration patience = reloader.inForce().life().drain();
    if (!patience.isZero()) {
      long deadlineNanos = System.nanoTime() + patience.toNanos();
      waitFor(frameServer.drain(patience.dividedBy(2)), patience);
      drainUpstream();
      export.drain();
      LastScrape.await(httpServer, deadlineNanos - System.nanoTime());
    } else {
      drainUpstream();
      export.drain();
    }
    close();
  }

  private void drainUpstream() {
    if (upstream != null) {
      upstream.drain();
    }
  }

  /** Stops the stages in reverse order and frees everything. Idempotent. */
  @Override
  public void close() {
    status.ready(false);
    export.close();
    ownHiccups.close();
    slas.close();
    stages.stop(STOP_TIME);
    if (journal != null) {
      journal.close();
    }
    if (upstream != null) {
      upstream.close();
    }
    stages.close(STOP_TIME);
  }

  static void waitFor(Future<?> stopping, Duration patience) {
    try {
      await(stopping, patience.toSeconds() + 1);
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(Level.WARNING, "event=stop_incomplete", e);
    }
  }
}
