package io.hdrsidecar.internal.send;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A socket's bytes as they are. */
final class PlainTransport implements Transport {
  private final SocketChannel channel;

  PlainTransport(SocketChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return channel.read(into);
  }

  @Override
  public boolean hasUnread() {
    return false;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return channel.write(from);
  }

  @Override
  public void flush() {
    // What was taken is in the socket.
  }

  @Override
  public boolean hasUnsent() {
    return false;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void finish() {
    // Closing the socket says it.
  }
}
