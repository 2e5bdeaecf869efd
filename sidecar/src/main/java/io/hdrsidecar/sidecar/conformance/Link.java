package io.hdrsidecar.sidecar.conformance;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/** The bytes of one connection with the client, over whatever it came. */
final class Link implements Closeable {
  private final BufferedInputStream in;
  private final OutputStream out;
  private final SocketAction toReset;
  private final SocketAction toFinish;
  private final Closeable socket;

  /** Something done to a socket. */
  @FunctionalInterface
  private interface SocketAction {
    void take() throws IOException;
  }

  private Link(
      InputStream in,
      OutputStream out,
      SocketAction toReset,
      SocketAction toFinish,
      Closeable socket) {
    this.in = new BufferedInputStream(in);
    this.out = out;
    this.toReset = toReset;
    this.toFinish = toFinish;
    this.socket = socket;
  }

  static Link of(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    return new Link(
        socket.getInputStream(),
        socket.getOutputStream(),
        () -> socket.setSoLinger(true, 0),
        socket::shutdownOutput,
        socket);
  }

  static Link of(SocketChannel channel) {
    return new Link(
        Channels.newInputStream(channel),
        Channels.newOutputStream(channel),
        () -> {
          if (channel.supportedOptions().contains(StandardSocketOptions.SO_LINGER)) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
          }
        },
        channel::shutdownOutput,
        channel);
  }

  /** As many bytes as there are up to a number; fewer only at the end of the stream. */
  byte[] read(int bytes) throws IOException {
    return in.readNBytes(bytes);
  }

  /**
   * Waits for the first byte: whether it is that of an HTTP request. Scrapers come to ports that
   * belonged to somebody else before; a frame that begins so would have more than a gigabyte.
   */
  boolean isHttp() throws IOException {
    in.mark(1);
    int first = in.read();
    in.reset();
    return first >= 'A' && first <= 'Z';
  }

  /** Whether bytes wait to be read; not known of TLS. */
  boolean hasUnread() throws IOException {
    return in.available() > 0;
  }

  void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
    out.flush();
  }

  /** Says that nothing more will be written; what the other side says can still be read. */
  void finish() throws IOException {
    toFinish.take();
  }

  /** Ends with a reset, where the transport has one: as a process that is killed. */
  void reset() throws IOException {
    toReset.take();
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
