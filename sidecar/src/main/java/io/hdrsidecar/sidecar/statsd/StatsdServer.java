package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.sidecar.config.StatsdConfig;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.receive.UnixSocketConfig;
import io.hdrsidecar.sidecar.receive.UnixSocketFile;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
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

  /** Of the share: connections must not take the room of values. */
  private static final int CONNECTIONS_PART = 4;

  private static final int MESSAGES_PER_READ = 32;
  private static final int PAGE_BYTES = 8 << 10;

  /** Chunks of 128 KiB. */
  private static final int CHUNK_ORDER = 4;

  private final StatsdConfig config;
  private final SeriesStore store;
  private final Executor mergeContext;
  private final HeapShare share;
  private final StatsdCounters counters = new StatsdCounters();
  private final StatsdLog log = new StatsdLog(System::nanoTime);
  private final List<Channel> channels = new ArrayList<>();
  private final List<Path> sockets = new ArrayList<>();
  private final HeapClaim claim;
  private @Nullable EventLoopGroup group;
  private @Nullable ScheduledFuture<?> ticks;
  private @Nullable KernelDrops drops;
  private volatile @Nullable StatsdIntake intake;
  private volatile @Nullable InetSocketAddress udp;
  private int receiveBuffer;
  private boolean finished;

  /**
   * A server to be deployed once, as one instance.
   *
   * @param config which names at least one socket
   * @param mergeContext the thread that owns the store
   * @param share of the heap that values of StatsD may hold
   */
  public StatsdServer(
      StatsdConfig config, SeriesStore store, Executor mergeContext, HeapShare share) {
    this.config = config;
    this.store = store;
    this.mergeContext = mergeContext;
    this.share = share;
    this.claim = share.claim();
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
    StatsdMapping mapping = mapping();
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
        new StatsdIntake(mapping, claim, handOver, counters, log, InstantSource.system());
    intake = taking;
    openUdp(transport, loop, taking);
    if (unixDatagram != null) {
      openUnixDatagram(transport, loop, taking, unixDatagram);
    }
    openUnixStream(transport, loop, taking);
    ticks = loop.next().scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
  }

  private StatsdMapping mapping() throws IOException {
    Path file = config.mappingFile();
    if (file == null) {
      return StatsdMapping.NONE;
    }
    try {
      StatsdMapping mapping = MappingFile.read(file);
      if (!mapping.ignored().isEmpty()) {
        LOG.log(
            Level.WARNING,
            "event=statsd_mapping_keys_ignored file={0} keys={1}",
            file.toString(),
            String.join(",", mapping.ignored()));
      }
      return mapping;
    } catch (MappingFileException e) {
      throw new IOException(StatsdConfig.MAPPING_FILE + ": " + e.getMessage(), e);
    }
  }

  private void openUdp(StatsdTransport transport, EventLoopGroup loop, StatsdIntake taking)
      throws IOException {
    InetSocketAddress wanted = config.udpAddress();
    if (wanted == null) {
      return;
    }
    Bootstrap bootstrap =
        receiving(loop)
            .channel(transport.udp())
            .option(ChannelOption.SO_RCVBUF, config.receiveBuffer())
            .handler(new DatagramHandler(taking, StatsdSocket.UDP));
    Channel channel =
        bound(
            bootstrap,
            new InetSocketAddress(wanted.getHostString(), wanted.getPort()),
            StatsdConfig.UDP_ADDRESS);
    InetSocketAddress bound = (InetSocketAddress) channel.localAddress();
    udp = bound;
    drops = KernelDrops.of(bound);
    Integer buffer = channel.config().getOption(ChannelOption.SO_RCVBUF);
    receiveBuffer = buffer == null ? 0 : buffer;
    LOG.log(
        Level.INFO,
        "event=statsd_listening address=udp://{0} receive_buffer={1}",
        bound.getAddress().getHostAddress() + ":" + bound.getPort(),
        String.valueOf(receiveBuffer));
  }

  private void openUnixDatagram(
      StatsdTransport transport, EventLoopGroup loop, StatsdIntake taking, Path path)
      throws IOException {
    UnixSocketFile file = prepare(path, StatsdConfig.UNIX_DATAGRAM);
    try {
      Bootstrap bootstrap =
          receiving(loop)
              .channel(transport.unixDatagram())
              .handler(new DatagramHandler(taking, StatsdSocket.UNIX_DATAGRAM));
      bound(bootstrap, transport.addresses().apply(file.hidden()), StatsdConfig.UNIX_DATAGRAM);
      publish(file, path);
    } finally {
      file.discardHidden();
    }
  }

  private void openUnixStream(StatsdTransport transport, EventLoopGroup loop, StatsdIntake taking)
      throws IOException {
    Path path = config.unixStream();
    if (path == null) {
      return;
    }
    HeapShare connections = share.atMost(share.maxBytes() / CONNECTIONS_PART);
    UnixSocketFile file = prepare(path, StatsdConfig.UNIX_STREAM);
    try {
      ServerBootstrap bootstrap =
          new ServerBootstrap()
              .group(loop)
              .channel(transport.unixStream())
              .childHandler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel.pipeline().addLast(new StreamHandler(taking, connections));
                    }
                  });
      channels.add(
          bootstrap
              .bind(transport.addresses().apply(file.hidden()))
              .syncUninterruptibly()
              .channel());
      publish(file, path);
    } finally {
      file.discardHidden();
    }
  }

  private UnixSocketFile prepare(Path path, String setting) throws IOException {
    return UnixSocketFile.prepare(
        new UnixSocketConfig(path, config.unixMode(), config.unixGroup()),
        setting,
        StatsdConfig.UNIX_GROUP);
  }

  private void publish(UnixSocketFile file, Path path) throws IOException {
    file.publish();
    sockets.add(path);
    LOG.log(Level.INFO, "event=statsd_listening address=unix://{0}", path.toAbsolutePath());
  }

  private Bootstrap receiving(EventLoopGroup loop) {
    ByteBufAllocator buffers =
        new PooledByteBufAllocator(true, 0, 1, PAGE_BYTES, CHUNK_ORDER, 0, 0, false);
    return new Bootstrap()
        .group(loop)
        .option(ChannelOption.ALLOCATOR, buffers)
        .option(
            ChannelOption.RECVBUF_ALLOCATOR,
            new FixedRecvByteBufAllocator(StatsdIntake.MOST_BYTES + 1)
                .maxMessagesPerRead(MESSAGES_PER_READ));
  }

  private Channel bound(Bootstrap bootstrap, SocketAddress address, String setting)
      throws IOException {
    try {
      Channel channel = bootstrap.bind(address).sync().channel();
      channels.add(channel);
      return channel;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(setting + ": interrupted", e);
    } catch (Exception e) { // Netty throws what it has caught, whether that is declared or not.
      throw new IOException(setting + ": cannot listen on " + address + ": " + CauseText.of(e), e);
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
          log.dropped(more, receiveBuffer);
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
    for (Channel channel : channels) {
      channel.close().awaitUninterruptibly();
    }
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

  /** A loop comes to what was scheduled after it has read what was ready meanwhile. */
  private void readWhatIsThere(EventLoop loop) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_READ_MILLIS);
    long before;
    do {
      before = counters.datagrams();
      loop.schedule(() -> {}, LOOK_MILLIS, TimeUnit.MILLISECONDS).await(MOST_READ_MILLIS);
    } while (counters.datagrams() != before && System.nanoTime() - end < 0);
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
                      for (Path socket : sockets) {
                        UnixSocketFile.remove(socket);
                      }
                      claim.close();
                      return true;
                    }));
  }

  /** Where UDP is listened on, with the real port; null for nowhere. Any thread. */
  public @Nullable InetSocketAddress udpAddress() {
    return udp;
  }

  /** What came, and what became of it. Any thread. */
  public List<Metric> metrics() {
    return counters.metrics(
        () -> {
          StatsdIntake taking = intake;
          return taking == null ? 0 : taking.known();
        });
  }
}
