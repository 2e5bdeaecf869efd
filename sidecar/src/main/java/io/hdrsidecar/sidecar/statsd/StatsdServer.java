package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.sidecar.config.StatsdConfig;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.plain.PlainFamilies;
import io.hdrsidecar.sidecar.plain.PlainSource;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Promise;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Listens where StatsD's senders send. One thread of its own, an event loop of Netty, reads all
 * sockets and counts; so nothing here is shared but what is handed over.
 */
public final class StatsdServer extends VerticleBase {
  private static final Logger LOG = System.getLogger(StatsdServer.class.getName());

  /** How long the end reads on, where senders do not stop. */
  private static final long MOST_READ_MILLIS = 2000;

  private static final long LOOK_MILLIS = 5;
  private static final long MERGE_MILLIS = 3000;

  /** What merging holds of one series at a time: each of its buckets, with a quarter to grow. */
  private static final long SCRATCH_BYTES = 600 << 10;

  private final StatsdConfig config;
  private final SeriesStore store;
  private final Executor mergeContext;
  private final HeapShare share;
  private final StatsdCounters counters = new StatsdCounters();
  private final StatsdLog log = new StatsdLog(System::nanoTime);
  private final StatsdSockets sockets;
  private final HeapClaim claim;
  private final @Nullable PlainSource plain;
  private volatile @Nullable EventLoopGroup group;
  private @Nullable ScheduledFuture<?> ticks;
  private @Nullable KernelDrops drops;
  private volatile @Nullable StatsdIntake intake;
  private volatile StatsdMapping mapping = StatsdMapping.NONE;
  private boolean finished;

  /**
   * A server to be deployed once, as one instance.
   *
   * @param config which names at least one socket
   * @param mergeContext the thread that owns the store
   * @param share of the heap that values of StatsD may hold
   * @param families get counters and gauges; null where nobody keeps any
   */
  public StatsdServer(
      StatsdConfig config,
      SeriesStore store,
      Executor mergeContext,
      HeapShare share,
      @Nullable PlainFamilies families) {
    this.config = config;
    this.store = store;
    this.mergeContext = mergeContext;
    this.share = share;
    this.claim = share.claim();
    this.plain =
        families == null || config.maxPlain() == 0
            ? null
            : families.source("StatsD", config.maxPlain(), claim);
    this.sockets = new StatsdSockets(config, share);
  }

  /**
   * What keeps a mapping file from being used, one line each; empty for nothing. Blocks.
   *
   * @param setting which names the file
   */
  public static List<String> problemsOf(Path mappingFile, String setting) {
    try {
      MappingFile.read(mappingFile);
      return List.of();
    } catch (MappingFileException e) {
      return e.problems().stream().map(problem -> setting + ": " + problem).toList();
    }
  }

  /** Completes when all sockets are open; fails when one cannot be. */
  @Override
  public Future<?> start() {
    return vertx.executeBlocking(
        () -> {
          try {
            open();
            return true;
          } catch (IOException | RuntimeException e) {
            finishNow(); // Nobody stops what has not started.
            throw e;
          }
        });
  }

  private void open() throws IOException {
    if (!claim.tryGrow(SCRATCH_BYTES) || share.freeBytes() < 2 * StatsdIntake.LINE_BYTES) {
      throw new IOException(
          "statsd: the heap is too small, its share for StatsD is "
              + share.maxBytes() / 1024
              + " KiB and has to be 1800 KiB; raise -Xmx to 48m or more");
    }
    mapping = mappingAtStart();
    Path unixDatagram = config.unixDatagram();
    StatsdTransport transport =
        unixDatagram == null ? StatsdTransport.ofJava() : StatsdTransport.ofNative(unixDatagram);
    EventLoopGroup loop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("statsd", true), transport.handlers());
    group = loop;
    HandOver handOver =
        new HandOver(store, mergeContext, task -> vertx.setTimer(10, id -> task.run()), counters);
    StatsdIntake taking =
        new StatsdIntake(mapping, claim, plain, handOver, counters, log, InstantSource.system());
    intake = taking;
    sockets.open(transport, loop, taking);
    InetSocketAddress udp = sockets.udpAddress();
    drops = udp == null ? null : KernelDrops.of(udp);
    ticks = loop.next().scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
  }

  private StatsdMapping mappingAtStart() throws IOException {
    try {
      StatsdMapping read = mapping(config.mappingFile());
      nameIgnored(config.mappingFile(), read);
      return read;
    } catch (MappingFileException e) {
      throw new IOException(StatsdConfig.MAPPING_FILE + ": " + e.getMessage(), e);
    }
  }

  private static StatsdMapping mapping(@Nullable Path file) throws MappingFileException {
    return file == null ? StatsdMapping.NONE : MappingFile.read(file);
  }

  private static void nameIgnored(@Nullable Path file, StatsdMapping mapping) {
    if (!mapping.ignored().isEmpty()) {
      LOG.log(
          Level.WARNING,
          "event=statsd_mapping_keys_ignored file={0} keys={1}",
          String.valueOf(file),
          String.join(",", mapping.ignored()));
    }
  }

  /**
   * Reads a mapping file again. Blocks; one thread at a time.
   *
   * @param file null for no rules
   * @param problems gets what is wrong with it, one line each
   * @return what puts its rules in force; null when they are, or when something is wrong
   */
  public @Nullable Runnable prepare(@Nullable Path file, List<String> problems) {
    try {
      StatsdMapping next = mapping(file);
      return next.equals(mapping) ? null : () -> use(file, next);
    } catch (MappingFileException e) {
      e.problems().forEach(p -> problems.add(StatsdConfig.MAPPING_FILE + ": " + p));
      return null;
    }
  }

  private void use(@Nullable Path file, StatsdMapping next) {
    EventLoopGroup loop = group;
    StatsdIntake taking = intake;
    if (loop != null && taking != null && !loop.isShuttingDown()) {
      mapping = next;
      nameIgnored(file, next);
      loop.execute(() -> taking.use(next));
    }
  }

  private void tick() {
    StatsdIntake taking = intake;
    if (taking != null) {
      lookForDrops();
      taking.tick();
    }
  }

  private void lookForDrops() {
    KernelDrops looked = drops;
    if (looked != null) {
      try {
        long more = looked.more();
        if (more > 0) {
          counters.kernelDropped(more);
          log.dropped(more, sockets.receiveBuffer());
        }
      } catch (IOException e) {
        drops = null;
        LOG.log(Level.INFO, "event=statsd_kernel_drops_unknown problem={0}", CauseText.of(e));
      }
    }
  }

  /**
   * Takes what is in the sockets still, closes them, and hands over all that was counted.
   * Idempotent. Completes when it is merged, or after some seconds.
   */
  public Future<?> finish() {
    return vertx.executeBlocking(
        () -> {
          finishNow();
          return true;
        });
  }

  private synchronized void finishNow() throws InterruptedException {
    EventLoopGroup loop = group;
    StatsdIntake taking = intake;
    if (finished || loop == null) {
      return;
    }
    finished = true;
    if (ticks != null) {
      ticks.cancel(false);
    }
    readWhatIsThere(loop.next());
    sockets.close();
    if (taking != null) {
      loop.next()
          .submit(
              () -> {
                lookForDrops();
                taking.finish(MERGE_MILLIS);
                taking.close();
              })
          .await(3 * MERGE_MILLIS);
    }
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }

  /**
   * A loop reads what is ready between one task and another that this one schedules. A task that
   * another thread schedules may run without: the loop can be among its tasks already.
   */
  private void readWhatIsThere(EventLoop loop) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_READ_MILLIS);
    Promise<Boolean> isQuiet;
    do {
      isQuiet = loop.newPromise();
      look(loop, isQuiet);
      isQuiet.await(MOST_READ_MILLIS);
    } while (!Boolean.TRUE.equals(isQuiet.getNow()) && System.nanoTime() - end < 0);
  }

  private void look(EventLoop loop, Promise<Boolean> isQuiet) {
    loop.execute(
        () -> {
          long before = counters.datagrams();
          var unused = // isQuiet tells
              loop.schedule(
                  () -> isQuiet.trySuccess(counters.datagrams() == before),
                  LOOK_MILLIS,
                  TimeUnit.MILLISECONDS);
        });
  }

  /** Finishes and removes its socket files. */
  @Override
  public Future<?> stop() {
    return finish()
        .eventually(
            () ->
                vertx.executeBlocking(
                    () -> {
                      StatsdIntake taking = intake;
                      if (taking != null) {
                        taking.close();
                      }
                      sockets.removeFiles();
                      claim.close();
                      return true;
                    }));
  }

  /** Where UDP is listened on, with the real port; null for nowhere. Any thread. */
  public @Nullable InetSocketAddress udpAddress() {
    return sockets.udpAddress();
  }

  /** What came, and what became of it. Any thread. */
  public List<Metric> metrics() {
    return counters.metrics(
        () -> {
          StatsdIntake taking = intake;
          return taking == null ? 0 : taking.known();
        },
        () -> plain == null ? 0 : plain.size());
  }
}
