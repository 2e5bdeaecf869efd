package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.config.StatsdConfig;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.receive.UnixSocketConfig;
import io.hdrsidecar.sidecar.receive.UnixSocketFile;
import io.netty.bootstrap.AbstractBootstrap;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The sockets that are listened on. Opened and closed by one thread at a time; where UDP is may be
 * asked by any.
 */
final class StatsdSockets {
  private static final Logger LOG = System.getLogger(StatsdSockets.class.getName());

  /** Of the share: connections must not take the room of values. */
  private static final int CONNECTIONS_PART = 4;

  private static final int MESSAGES_PER_READ = 32;
  private static final int PAGE_BYTES = 8 << 10;

  /** Chunks of 128 KiB: a datagram and the page that keeps the chunk. */
  private static final int CHUNK_ORDER = 4;

  private final StatsdConfig config;
  private final HeapShare share;
  private final List<Channel> channels = new ArrayList<>();
  private final List<Path> files = new ArrayList<>();
  private final ByteBufAllocator buffers =
      new PooledByteBufAllocator(true, 0, 1, PAGE_BYTES, CHUNK_ORDER, 0, 0, false);
  private @Nullable ByteBuf kept;
  private volatile @Nullable InetSocketAddress udp;
  private int receiveBuffer;

  StatsdSockets(StatsdConfig config, HeapShare share) {
    this.config = config;
    this.share = share;
  }

  /**
   * Opens those that are configured.
   *
   * @throws IOException when one cannot be; those before it are open
   */
  void open(StatsdTransport transport, EventLoopGroup loop, StatsdIntake taking)
      throws IOException {
    Path unixDatagram = config.unixDatagram();
    if (config.udpAddress() != null || unixDatagram != null) {
      // A chunk that has nothing is freed, and the next datagram would take memory anew.
      kept = buffers.directBuffer(PAGE_BYTES, PAGE_BYTES);
    }
    openUdp(transport, loop, taking);
    if (unixDatagram != null) {
      openUnixDatagram(transport, loop, taking, unixDatagram);
    }
    openUnixStream(transport, loop, taking);
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
    Channel channel = boundTo(bootstrap, wanted.getHostString(), wanted.getPort());
    InetSocketAddress bound = (InetSocketAddress) channel.localAddress();
    udp = bound;
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
      bind(bootstrap, transport, file, path, StatsdConfig.UNIX_DATAGRAM);
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
      bind(bootstrap, transport, file, path, StatsdConfig.UNIX_STREAM);
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
    files.add(path);
    LOG.log(Level.INFO, "event=statsd_listening address=unix://{0}", path.toAbsolutePath());
  }

  private Bootstrap receiving(EventLoopGroup loop) {
    return new Bootstrap()
        .group(loop)
        .option(ChannelOption.ALLOCATOR, buffers)
        .option(
            ChannelOption.RECVBUF_ALLOCATOR,
            new FixedRecvByteBufAllocator(StatsdIntake.MOST_BYTES + 1)
                .maxMessagesPerRead(MESSAGES_PER_READ));
  }

  private Channel boundTo(Bootstrap bootstrap, String host, int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw ListenException.ofAddress(
          StatsdConfig.UDP_ADDRESS, host, port, new UnknownHostException(host));
    }
    return bound(
        bootstrap,
        address,
        e -> ListenException.ofAddress(StatsdConfig.UDP_ADDRESS, host, port, e));
  }

  private Channel bind(
      AbstractBootstrap<?, ?> bootstrap,
      StatsdTransport transport,
      UnixSocketFile file,
      Path path,
      String setting)
      throws IOException {
    return bound(
        bootstrap,
        transport.addresses().apply(file.hidden()),
        e -> new IOException(setting + ": cannot listen on " + path + ": " + CauseText.of(e), e));
  }

  private Channel bound(
      AbstractBootstrap<?, ?> bootstrap,
      SocketAddress address,
      Function<Exception, IOException> failure)
      throws IOException {
    try {
      Channel channel = bootstrap.bind(address).sync().channel();
      channels.add(channel);
      return channel;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure.apply(e);
    } catch (Exception e) { // Netty throws what it has caught, whether that is declared or not.
      throw failure.apply(e);
    }
  }

  /** Reads nothing any more. */
  void close() {
    for (Channel channel : channels) {
      channel.close().awaitUninterruptibly();
    }
    channels.clear();
    ByteBuf last = kept;
    kept = null;
    if (last != null) {
      last.release();
    }
  }

  /** Removes the files of Unix sockets. */
  void removeFiles() throws IOException {
    for (Path file : files) {
      UnixSocketFile.remove(file);
    }
  }

  /** Where UDP is listened on, with the real port; null for nowhere. Any thread. */
  @Nullable InetSocketAddress udpAddress() {
    return udp;
  }

  /** Bytes of the kernel's buffer for UDP. */
  int receiveBuffer() {
    return receiveBuffer;
  }
}
