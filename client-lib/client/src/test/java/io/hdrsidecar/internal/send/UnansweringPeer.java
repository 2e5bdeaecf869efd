package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.FrameType;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A sidecar for one connection that says WELCOME and then nothing, and notes what it hears to the
 * end: GOODBYE, too, is neither answered nor followed by a close.
 */
final class UnansweringPeer implements AutoCloseable {
  private static final int MOST_BYTES = 1 << 16;

  private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final List<FrameType> heard = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> end = CompletableFuture.runAsync(this::serve);

  UnansweringPeer() throws IOException {}

  String address() {
    return "tcp://127.0.0.1:" + server.getLocalPort();
  }

  /** Types of the frames so far. */
  List<FrameType> heard() {
    return heard;
  }

  /** Waits for the end of the connection. */
  List<FrameType> all() {
    end.join();
    return heard;
  }

  private void serve() {
    ByteBuffer in = ByteBuffer.allocate(MOST_BYTES);
    FrameDecoder decoder = new FrameDecoder(MOST_BYTES);
    try (Socket socket = server.accept()) {
      Frame.Welcome welcome = new Frame.Welcome(FrameEncoder.VERSION, 0, MOST_BYTES, 64, 1);
      socket.getOutputStream().write(new FrameEncoder().welcome(welcome).take());
      int length = socket.getInputStream().read(in.array());
      while (length >= 0) {
        in.limit(in.position() + length).rewind();
        while (decoder.next(in)) {
          heard.add(decoder.type());
        }
        in.compact();
        length = socket.getInputStream().read(in.array(), in.position(), in.remaining());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (MalformedFrameException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
