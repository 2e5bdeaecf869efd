package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.access.RemotePeers;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The other end of a connection, for writing. A client that does not read its answers is not read
 * from either, until it does.
 */
final class ConnectionPeer {
  /**
   * How long a finished connection stays open for its client to read why. Closing at once, with
   * bytes unread, would make the kernel reset the connection and drop the reason.
   */
  private static final long LINGER_MILLIS = 500;

  private static final int LEAST_READ_BYTES = 512;
  private static final int FIRST_READ_BYTES = 2048;

  private final Vertx vertx;
  private final NetSocket socket;
  private final ChannelConfig channel;
  private final ReceiveCounters counters;
  private boolean finished;
  private boolean unread;
  private boolean held;

  ConnectionPeer(Vertx vertx, NetSocket socket, ReceiveCounters counters) {
    this.vertx = vertx;
    this.socket = socket;
    this.channel = ((NetSocketInternal) socket).channelHandlerContext().channel().config();
    channel.setRecvByteBufAllocator(
        new AdaptiveRecvByteBufAllocator(LEAST_READ_BYTES, FIRST_READ_BYTES, FrameRoom.READ_BYTES));
    this.counters = counters;
  }

  /** Whether both ends are on one machine, where compressing costs more than it saves. */
  boolean isLocal() {
    String host = host();
    return host == null || host.startsWith("127.") || host.equals("0:0:0:0:0:0:0:1");
  }

  /** Its address without the port, {@code unix} for a Unix socket. */
  String address() {
    return addressOf(socket);
  }

  /** Its {@link #address}. */
  static String addressOf(NetSocket socket) {
    String host = host(socket);
    return host == null ? "unix" : host;
  }

  private @Nullable String host() {
    return host(socket);
  }

  private static @Nullable String host(NetSocket socket) {
    SocketAddress remote = socket.remoteAddress();
    return remote == null ? null : remote.hostAddress();
  }

  /** The peer at the other end, as far as its address tells. */
  String name() {
    return RemotePeers.nameOf(host());
  }

  void send(byte[] frames) {
    socket.write(Buffer.buffer(frames));
    if (socket.writeQueueFull() && !finished) {
      counters.pause();
      pause();
      unread = true;
      socket.drainHandler(
          drained -> {
            unread = false;
            resume();
          });
    }
  }

  /** Reads nothing more until {@link #release}: what has been read cannot be written down yet. */
  void hold() {
    held = true;
    pause();
  }

  /** Of the channel as well: Vert.x alone reads on for some time, and keeps what it has read. */
  private void pause() {
    channel.setAutoRead(false);
    socket.pause();
  }

  /** Whether it is not read from since {@link #hold}. */
  boolean isHeld() {
    return held;
  }

  /** Ends {@link #hold}. */
  void release() {
    if (held) {
      held = false;
      resume();
    }
  }

  private void resume() {
    if (finished || (!held && !unread)) {
      socket.resume();
      channel.setAutoRead(true);
    }
  }

  /** Nothing more will be sent: closes when the client has had time to read the rest. */
  void finish() {
    if (!finished) {
      finished = true;
      resume();
      vertx.setTimer(LINGER_MILLIS, timer -> socket.close());
    }
  }
}
