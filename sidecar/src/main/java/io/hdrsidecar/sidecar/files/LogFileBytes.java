package io.hdrsidecar.sidecar.files;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** An open log, read at any place. Any thread. */
public final class LogFileBytes {
  private final String name;
  private final FileChannel channel;

  private LogFileBytes(String name, FileChannel channel) {
    this.name = name;
    this.channel = channel;
  }

  static LogFileBytes open(String name, Path path) throws IOException {
    return new LogFileBytes(name, FileChannel.open(path, StandardOpenOption.READ));
  }

  /** How messages call it. */
  String name() {
    return name;
  }

  /**
   * Reads so many bytes from there on.
   *
   * @throws IOException when there are not so many any more, or reading fails
   */
  void read(long offset, byte[] into, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, offset + buffer.position()) < 0) {
        throw new EOFException(name + ": has become shorter since it was indexed");
      }
    }
  }

  void close() throws IOException {
    channel.close();
  }
}
