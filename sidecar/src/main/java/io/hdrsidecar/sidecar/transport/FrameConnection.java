package io.hdrsidecar.sidecar.transport;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.series.Labels;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A client's connection, whose thread waits for each answer. Anything but an ACK is an error. */
public final class FrameConnection implements Closeable {
  private final SocketChannel socket;
  private final FrameEncoder out = new FrameEncoder();
  private final FrameDecoder decoder = new FrameDecoder(1 << 16);
  private final ByteBuffer in = ByteBuffer.allocate(1 << 16).limit(0);
  private final Frame.Welcome welcome;

  /**
   * Connects and says HELLO as a new instance.
   *
   * @param address {@code tcp://host:port} or {@code unix:///path}
   * @throws IOException when nobody is there, or the answer is no WELCOME
   */
  public FrameConnection(String address) throws IOException {
    socket = Sockets.connect(address);
    try {
      out.hello(new Frame.Hello(FrameEncoder.VERSION, InstanceId.random(), Labels.empty(), ""));
      flush();
      welcome = next(Frame.Welcome.class);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** What the sidecar asks of its clients. */
  public Frame.Welcome welcome() {
    return welcome;
  }

  /** Takes what the next {@link #flush} sends. */
  public FrameEncoder out() {
    return out;
  }

  /** Sends what was put into {@link #out}. */
  public void flush() throws IOException {
    Sockets.write(socket, ByteBuffer.wrap(out.take()));
  }

  /**
   * Waits for an ACK.
   *
   * @return number of the last interval that is settled
   */
  public long awaitSettled() throws IOException {
    return next(Frame.Ack.class).sequence();
  }

  private <T extends Frame> T next(Class<T> expected) throws IOException {
    Frame answer = next();
    if (!expected.isInstance(answer)) {
      throw new IOException("expected " + expected.getSimpleName() + ", came " + answer);
    }
    return expected.cast(answer);
  }

  private Frame next() throws IOException {
    try {
      while (!decoder.next(in)) {
        Sockets.read(socket, in.compact());
        in.flip();
      }
      return decoder.frame();
    } catch (MalformedFrameException e) {
      throw new IOException("the sidecar's answer is no frame", e);
    }
  }

  /** Says GOODBYE. */
  @Override
  public void close() throws IOException {
    out.goodbye();
    flush();
    socket.close();
  }
}
