package io.hdrsidecar.sidecar.statsd;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.unix.DomainDatagramChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What reads sockets: Java's own channels or, where there are Unix datagrams, which Java does not
 * have, Netty's native ones for all.
 *
 * @param unixDatagram null where there are none
 */
record StatsdTransport(
    IoHandlerFactory handlers,
    Class<? extends DatagramChannel> udp,
    @Nullable Class<? extends DomainDatagramChannel> unixDatagram,
    Class<? extends ServerChannel> unixStream,
    Function<Path, SocketAddress> addresses) {
  private static final String WORK_FOLDER = "io.netty.native.workdir";

  /** Java's own. */
  static StatsdTransport ofJava() {
    return new StatsdTransport(
        NioIoHandler.newFactory(),
        NioDatagramChannel.class,
        null,
        NioServerDomainSocketChannel.class,
        UnixDomainSocketAddress::of);
  }

  /**
   * Netty's own. Its library is in the jar and has to be written to a file in order to be loaded:
   * into the folder of the socket, where Java's folder for temporary files cannot be written to, as
   * in a container of ours. It is deleted at once.
   *
   * @param socket to be listened on
   * @throws IOException when this machine cannot load it
   */
  static StatsdTransport ofNative(Path socket) throws IOException {
    if (System.getProperty(WORK_FOLDER) == null
        && !Files.isWritable(Path.of(System.getProperty("java.io.tmpdir", "/tmp")))) {
      Path folder = socket.toAbsolutePath().getParent();
      System.setProperty(WORK_FOLDER, folder == null ? "/" : folder.toString());
    }
    if (!Epoll.isAvailable()) {
      throw new IOException(
          "statsd.unix-datagram: needs Netty's native library, which is there for Linux on x86_64"
              + " and aarch64 and has to be written to a folder from which it may be loaded ("
              + WORK_FOLDER
              + "); use statsd.unix-stream or statsd.udp-address in place of it: "
              + Epoll.unavailabilityCause(),
          Epoll.unavailabilityCause());
    }
    return new StatsdTransport(
        EpollIoHandler.newFactory(),
        EpollDatagramChannel.class,
        EpollDomainDatagramChannel.class,
        EpollServerDomainSocketChannel.class,
        path -> new DomainSocketAddress(path.toFile()));
  }
}
