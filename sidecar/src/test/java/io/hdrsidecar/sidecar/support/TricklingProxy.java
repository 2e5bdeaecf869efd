package io.hdrsidecar.sidecar.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Hands bytes on in pieces of a random length, so that no record, frame or handshake message
 * arrives as it was sent. Small socket buffers make its peers wait in the middle of writing.
 */
public final class TricklingProxy implements AutoCloseable {
  private static final int SOCKET_BUFFER_BYTES = 2048;

  private final ServerSocket listening = new ServerSocket();
  private final int target;
  private final int longestPiece;
  private final SplittableRandom seeds;
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  public TricklingProxy(int target, int longestPiece, long seed) throws IOException {
    this.target = target;
    this.longestPiece = longestPiece;
    this.seeds = new SplittableRandom(seed);
    listening.setReceiveBufferSize(SOCKET_BUFFER_BYTES);
    listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    start(this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "trickling proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket in = listening.accept();
        Socket out = new Socket(InetAddress.getLoopbackAddress(), target);
        open.addAll(List.of(in, out));
        in.setTcpNoDelay(true);
        out.setTcpNoDelay(true);
        SplittableRandom there = seeds.split();
        SplittableRandom back = seeds.split();
        start(() -> pump(in, out, there));
        start(() -> pump(out, in, back));
      } catch (IOException e) {
        return; // closed by the test, or the sidecar is gone
      }
    }
  }

  private void pump(Socket from, Socket to, SplittableRandom random) {
    byte[] piece = new byte[longestPiece];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int length = in.read(piece, 0, random.nextInt(1, longestPiece + 1));
      while (length > 0) {
        out.write(piece, 0, length);
        length = in.read(piece, 0, random.nextInt(1, longestPiece + 1));
      }
    } catch (IOException closed) {
      return; // by either side
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
