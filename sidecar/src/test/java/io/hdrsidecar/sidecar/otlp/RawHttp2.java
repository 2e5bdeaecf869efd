package io.hdrsidecar.sidecar.otlp;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A peer that writes frames of HTTP/2 as a test wants them, by RFC 9113 and RFC 7541. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  static final int NO_ERROR = 0;
  static final int REFUSED_STREAM = 7;
  static final int CANCEL = 8;
  static final int ENHANCE_YOUR_CALM = 11;

  /** A frame as it came. */
  record Frame(int type, int flags, int stream, ByteBuffer payload) {
    /** Of RST_STREAM and GOAWAY. */
    int error() {
      return payload.getInt(type == GOAWAY ? 4 : 0);
    }
  }

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  /** Connected, and nothing was sent. */
  RawHttp2(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** Sends the preface and empty settings. */
  RawHttp2 begin() throws IOException {
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return send(SETTINGS, 0, 0, new byte[0]);
  }

  RawHttp2 send(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload);
    out.write(frame.array());
    return this;
  }

  /** The same; false when the other side no longer reads. */
  boolean trySend(int type, int flags, int stream, byte[] payload) {
    try {
      send(type, flags, stream, payload);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Begins a call of gRPC that takes metrics. */
  RawHttp2 call(int stream) throws IOException {
    return send(HEADERS, END_HEADERS, stream, callHeaders());
  }

  /** Headers of such a call, none of them in a table. */
  static byte[] callHeaders() {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    header(block, ":method", "POST");
    header(block, ":scheme", "http");
    header(block, ":authority", "localhost");
    header(block, ":path", GrpcClient.EXPORT);
    header(block, "content-type", "application/grpc");
    return block.toByteArray();
  }

  /** Name and value are shorter than 127 bytes. */
  static void header(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private Frame read() throws IOException {
    int first = in.readInt();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    return new Frame(first & 0xff, flags, stream, ByteBuffer.wrap(in.readNBytes(first >>> 8)));
  }

  /** Returns when all that was sent so far was read there. */
  void awaitPong() throws IOException {
    send(PING, 0, 0, new byte[8]);
    Frame frame = read();
    while (frame.type() != PING) {
      frame = read();
    }
  }

  /** The next frame that is none of settings, pings and windows. */
  Frame next() throws IOException {
    while (true) {
      Frame frame = read();
      if (frame.type() != SETTINGS && frame.type() != PING && frame.type() != WINDOW_UPDATE) {
        return frame;
      }
    }
  }

  /** Reads up to the connection's end; the error of its GOAWAY, or -1 without one. */
  int end() throws IOException {
    int error = -1;
    try {
      while (true) {
        Frame frame = next();
        error = frame.type() == GOAWAY ? frame.error() : error;
      }
    } catch (EOFException | SocketException e) {
      return error;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
