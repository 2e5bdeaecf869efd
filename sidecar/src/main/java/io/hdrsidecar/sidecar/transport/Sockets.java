package io.hdrsidecar.sidecar.transport;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Blocking sockets of both families. */
final class Sockets {
  private Sockets() {}

  /**
   * Connects, without Nagle's delay.
   *
   * @param address {@code tcp://host:port} or {@code unix:///path}
   */
  static SocketChannel connect(String address) throws IOException {
    URI uri = URI.create(address);
    return connect(
        uri.getScheme().equals("unix")
            ? UnixDomainSocketAddress.of(Path.of(uri.getPath()))
            : new InetSocketAddress(uri.getHost(), uri.getPort()));
  }

  static SocketChannel connect(SocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open(address);
    sendAtOnce(channel);
    return channel;
  }

  static void sendAtOnce(SocketChannel channel) throws IOException {
    if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
  }

  static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Reads some bytes behind those that are there; fails at the end of the stream. */
  static void read(SocketChannel channel, ByteBuffer into) throws IOException {
    if (channel.read(into) < 0) {
      throw new EOFException("the other side has closed the connection");
    }
  }
}
