package io.hdrsidecar.sidecar.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a text, each cut to a length that does not endanger memory, and without the byte order
 * mark that editors put before the first.
 */
final class TextLines implements AutoCloseable {
  static final char BYTE_ORDER_MARK = '\ufeff';

  private static final int MAX_CHARS = 64 * 1024;

  private final Reader in;
  private final StringBuilder line = new StringBuilder();
  private long number;

  TextLines(InputStream in) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 16);
  }

  /** Number of the line that was read last; the first is 1. */
  long number() {
    return number;
  }

  /** The next line without its end, or null behind the last. */
  @Nullable String next() throws IOException {
    line.setLength(0);
    int c = in.read();
    if (c < 0) {
      return null;
    }
    for (; c >= 0 && c != '\n'; c = in.read()) {
      if (line.length() < MAX_CHARS && !(line.isEmpty() && c == BYTE_ORDER_MARK)) {
        line.append((char) c);
      }
    }
    number++;
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
