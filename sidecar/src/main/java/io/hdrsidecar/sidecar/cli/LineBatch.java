package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.hlog.Base64Histogram;
import io.hdrsidecar.internal.hlog.IntervalLogLine;
import io.hdrsidecar.internal.hlog.IntervalLogReader;
import io.hdrsidecar.internal.hlog.MalformedLogLineException;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Some consecutive lines of a log, which one thread reads, some thread decodes, and the first uses.
 * Reused. The thread that sets {@code begun} first decodes, and the user waits for it; so there is
 * no moment at which two threads use a batch.
 */
final class LineBatch implements AutoCloseable {
  /** Which lines are wanted. */
  @FunctionalInterface
  interface LineFilter {
    boolean test(IntervalLogLine interval, double logStartSeconds);
  }

  private static final int MAX_TEXT_BYTES = 64 * 1024;

  /** Of 3 digits over all longs, which is more than most logs have, 56,320. */
  private static final int MAX_COUNTERS = 1 << 17;

  private final ScannedLine[] lines;
  private byte[] text = new byte[4096];
  private int textBytes;
  private int size;
  private @Nullable IOException end;
  private @Nullable Base64Histogram decoder;
  private AtomicBoolean begun = new AtomicBoolean(true);
  private CompletableFuture<Void> elsewhere = CompletableFuture.completedFuture(null);

  LineBatch(int maxLines) {
    lines = new ScannedLine[maxLines];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = new ScannedLine();
    }
  }

  /** How many lines there are. */
  int size() {
    return size;
  }

  ScannedLine line(int i) {
    return lines[i];
  }

  /** The texts of the histograms, for {@link ScannedLine#decode}. */
  byte[] text() {
    return text;
  }

  /** How much memory the texts take. */
  int textBytes() {
    return textBytes;
  }

  /** Why reading stopped behind the last line here; null when it did not. */
  @Nullable IOException end() {
    return end;
  }

  /**
   * Reads lines until there is no room for more.
   *
   * @return false when this was the end of the log
   */
  boolean fill(IntervalLogReader reader, LineFilter filter) {
    size = 0;
    textBytes = 0;
    end = null;
    if (text.length > 2 * MAX_TEXT_BYTES) {
      text = new byte[MAX_TEXT_BYTES]; // one very long line must not keep its memory for good
    }
    try {
      while (size < lines.length && textBytes < MAX_TEXT_BYTES) {
        if (!fillLine(reader, filter)) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      end = e;
      return false;
    }
  }

  private boolean fillLine(IntervalLogReader reader, LineFilter filter) throws IOException {
    ScannedLine line = lines[size];
    try {
      if (!reader.nextLine(line.interval())) {
        return false;
      }
      if (filter.test(line.interval(), reader.startSeconds())) {
        int from = textBytes;
        append(reader.histogramText());
        line.read(from, textBytes, reader.histogramOffset(), reader.startSeconds(), reader.unit());
        size++;
      }
    } catch (MalformedLogLineException e) {
      line.failed(e);
      size++;
    }
    return true;
  }

  private void append(ByteBuffer field) {
    int length = field.remaining();
    if (text.length - textBytes < length) {
      byte[] longer = new byte[Math.max(textBytes + length, text.length * 2)];
      System.arraycopy(text, 0, longer, 0, textBytes);
      text = longer;
    }
    field.get(text, textBytes, length);
    textBytes += length;
  }

  /** Lets another thread decode the lines, unless {@link #finish} comes first. */
  void decodeOn(Executor threads) {
    Base64Histogram with =
        decoder == null ? new Base64Histogram(MAX_COUNTERS, new StreamInflater()) : decoder;
    AtomicBoolean claim = new AtomicBoolean(); // of these lines, not of those to come
    decoder = with;
    begun = claim;
    elsewhere = CompletableFuture.runAsync(() -> decode(claim, with), threads);
  }

  /** Returns when the lines are decoded, here or elsewhere; at once if nobody was to. */
  void finish() {
    if (decoder != null && !decode(begun, decoder)) {
      elsewhere.join();
    }
  }

  /** Who claims the lines first decodes them; false for the other one. */
  private boolean decode(AtomicBoolean claim, Base64Histogram with) {
    if (!claim.compareAndSet(false, true)) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      lines[i].tryToDecode(text, with);
    }
    return true;
  }

  /** Frees the decoder, when no thread uses it any more. */
  @Override
  public void close() {
    if (decoder != null) {
      if (!begun.compareAndSet(false, true)) {
        elsewhere.exceptionally(failure -> null).join();
      }
      decoder.close();
    }
  }
}
