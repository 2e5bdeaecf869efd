package io.hdrsidecar.sidecar.expose;

import io.vertx.core.buffer.Buffer;
import java.io.OutputStream;

/** Writes into a buffer that Vert.x can send without another copy. */
final class BufferOutput extends OutputStream {
  private final Buffer buffer;

  BufferOutput(int expectedBytes) {
    this.buffer = Buffer.buffer(expectedBytes);
  }

  Buffer buffer() {
    return buffer;
  }

  @Override
  public void write(int b) {
    buffer.appendByte((byte) b);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    buffer.appendBytes(bytes, offset, length);
  }
}
