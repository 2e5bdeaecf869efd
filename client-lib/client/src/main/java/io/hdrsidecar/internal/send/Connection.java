package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/**
 * One connection to the sidecar, non-blocking: frames queue up and are written as the socket takes
 * them; bytes read are handed on frame by frame. Knows nothing of what frames mean.
 */
final class Connection {
  /**
   * The sidecar sends WELCOME, ACK and REJECT; the longest of them is a REJECT with its message.
   */
  private static final int MAX_BODY_BYTES = 16 * 1024;

  private static final int READ_BUFFER_BYTES = 2 * MAX_BODY_BYTES;
  private static final int WRITE_BUFFER_BYTES = 32 * 1024;

  /** Receives frames as they arrive. */
  interface FrameListener {
    /** The decoder stands on a whole frame. */
    void onFrame(FrameDecoder frame) throws IOException, MalformedFrameException;
  }

  private final SocketChannel channel;
  private final Transport transport;
  private final SelectionKey key;
  private final FrameDecoder decoder = new FrameDecoder(MAX_BODY_BYTES);
  private final ByteBuffer in = ByteBuffer.allocate(READ_BUFFER_BYTES);

  /** Small frames are gathered here, so that a thousand series do not cost a thousand writes. */
  private final ByteBuffer out = ByteBuffer.allocate(WRITE_BUFFER_BYTES).limit(0);

  private final ArrayDeque<ByteBuffer> queue = new ArrayDeque<>();

  private Connection(
      SocketChannel channel, Transport transport, Selector selector, SocketAddress address)
      throws IOException {
    this.channel = channel;
    this.transport = transport;
    channel.configureBlocking(false);
    boolean connected = channel.connect(address);
    this.key =
        channel.register(selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
  }

  /** Starts to connect; {@link #isConnected} says whether that is done already. */
  static Connection open(
      SidecarAddress address, SocketAddress resolved, TlsContext tls, Selector selector)
      throws IOException {
    SocketChannel channel =
        address.isUnixSocket()
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open();
    try {
      if (!address.isUnixSocket()) {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      }
      return new Connection(channel, transport(address, tls, channel), selector, resolved);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static Transport transport(SidecarAddress address, TlsContext tls, SocketChannel channel)
      throws IOException {
    return address.isTls()
        ? new TlsTransport(channel, tls.engine(address.host(), address.port()))
        : new PlainTransport(channel);
  }

  boolean isConnected() {
    return channel.isConnected();
  }

  /** Ends connecting, if the socket is ready for it; throws when nobody answers there. */
  boolean finishConnect() throws IOException {
    if (channel.finishConnect()) {
      key.interestOps(SelectionKey.OP_READ);
      return true;
    }
    return false;
  }

  /** Queues a frame, without a copy; the buffer's own position stays where it is. */
  void send(ByteBuffer frame) {
    queue.addLast(frame.duplicate());
  }

  boolean hasUnwritten() {
    return out.hasRemaining() || !queue.isEmpty() || transport.hasUnsent();
  }

  /** Writes what the socket takes, and asks to be told when it takes more. */
  void write() throws IOException {
    transport.flush();
    do {
      if (!out.hasRemaining()) {
        gather();
      }
    } while (out.hasRemaining() && transport.write(out) > 0);
    // Frames that wait for a handshake wait for the other side, not for room in the socket.
    boolean waits = transport.hasUnsent() || (transport.isReady() && hasUnwritten());
    int wanted = SelectionKey.OP_READ | (waits ? SelectionKey.OP_WRITE : 0);
    if (key.interestOps() != wanted) {
      key.interestOps(wanted);
    }
  }

  private void gather() {
    out.clear();
    while (out.hasRemaining() && !queue.isEmpty()) {
      ByteBuffer frame = queue.getFirst();
      int length = Math.min(out.remaining(), frame.remaining());
      out.put(out.position(), frame, frame.position(), length);
      out.position(out.position() + length);
      frame.position(frame.position() + length);
      if (!frame.hasRemaining()) {
        queue.removeFirst();
      }
    }
    out.flip();
  }

  /**
   * Reads what has arrived.
   *
   * @return whether there was anything
   * @throws EOFException when the sidecar has closed
   * @throws MalformedFrameException when the bytes are not frames
   */
  boolean read(FrameListener listener) throws IOException, MalformedFrameException {
    boolean any = false;
    do {
      int length = transport.read(in);
      if (length < 0) {
        throw new EOFException("closed by the sidecar");
      }
      any |= length > 0;
      in.flip();
      try {
        while (decoder.next(in)) {
          listener.onFrame(decoder);
        }
      } finally {
        in.compact();
      }
    } while (transport.hasUnread());
    return any;
  }

  /** Frees the socket. */
  void close() {
    if (channel.isConnected()) {
      transport.finish();
    }
    try {
      channel.close();
    } catch (IOException e) {
      return; // The descriptor is given back all the same, and nobody is left to tell.
    }
  }
}
