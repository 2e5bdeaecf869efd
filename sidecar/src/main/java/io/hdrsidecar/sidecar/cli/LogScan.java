package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.hlog.IntervalLogReader;
import io.hdrsidecar.hlog.LogInterval;
import io.hdrsidecar.hlog.MalformedLogLineException;
import io.hdrsidecar.wire.DecodedHistogram;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.DoubleHistogram;

/**
 * Reads the selected intervals of one log, from front to end and in constant memory. Lines that
 * cannot be read are left out with a warning, and so is what follows a place where the file itself
 * ends too early or fails. One thread at a time.
 */
final class LogScan implements AutoCloseable {
  private static final int MAX_LINE_BYTES = 64 << 20;

  /** Enough for 5 digits over the whole range of a long. */
  private static final int MAX_COUNTERS = 1 << 23;

  /** {@code DoubleHistogram}'s encodings, compressed. */
  private static final int FLOATING_COOKIE = 0x0c72124f;

  private final LogFile file;
  private final Selection selection;
  private final Messages messages;
  private final IntervalLogReader reader;
  private final LogInterval interval = new LogInterval();
  private LogEntry entry;
  private long lines;
  private boolean ended;

  /**
   * Opens a log.
   *
   * @throws IOException with a message for people
   */
  LogScan(LogFile file, Selection selection, Messages messages) throws IOException {
    this.file = file;
    this.selection = selection;
    this.messages = messages;
    this.reader = new IntervalLogReader(file.open(messages), MAX_LINE_BYTES, MAX_COUNTERS);
    this.entry = entryOfIntegers();
  }

  LogFile file() {
    return file;
  }

  /** Tag and times of the current interval. */
  LogInterval interval() {
    return interval;
  }

  /** What the current interval counted, corrected if the selection says so. */
  LogEntry entry() {
    return entry;
  }

  /** What relative times of this log count from, seconds since the epoch. */
  double startSeconds() {
    return reader.startSeconds();
  }

  /** Leaves the current interval out, with a warning. */
  void refuse(String reason) {
    messages.refused(file.displayName(), interval.line(), reason);
  }

  /** Goes to the next interval that is selected and whole; false at the end. */
  boolean next() {
    while (!ended) {
      try {
        if (!reader.nextLine(interval)) {
          end();
        } else if (isSelected()) {
          lines = interval.line();
          decode();
          return true;
        }
      } catch (MalformedLogLineException e) {
        lines = e.line();
        messages.refused(file.displayName(), e.line(), String.valueOf(e.getMessage()));
      } catch (IllegalArgumentException | ArithmeticException e) {
        refuse(String.valueOf(e.getMessage()));
      } catch (IOException e) {
        messages.warn(
            file.displayName()
                + ": reading stops after line "
                + lines
                + ", what comes before is used: "
                + e.getMessage());
        end();
      }
    }
    return false;
  }

  private void end() {
    ended = true;
    messages.endOf(file.displayName());
  }

  private boolean isSelected() {
    return selection.tags().test(interval.tag())
        && selection.range().contains(interval.startSeconds(), reader.startSeconds());
  }

  /** The histogram as the line has it, encoded; valid until the scan goes on. */
  ByteBuffer payload() throws MalformedLogLineException {
    return reader.payload();
  }

  private void decode() throws MalformedLogLineException {
    ByteBuffer payload = reader.payload();
    if (payload.limit() >= Integer.BYTES && payload.getInt(0) == FLOATING_COOKIE) {
      entry = selection.correction().apply(LogEntry.ofFloating(floating(payload)));
    } else {
      reader.decode(interval);
      entry = selection.correction().apply(entryOfIntegers());
    }
  }

  private LogEntry entryOfIntegers() {
    DecodedHistogram histogram = interval.histogram();
    return new LogEntry(
        histogram.layout(), histogram.highestTrackableValue(), histogram.counts(), null);
  }

  /** HdrHistogram's own decoder, which fails on damaged bytes in any of these ways. */
  private static DoubleHistogram floating(ByteBuffer payload) {
    try {
      return DoubleHistogram.decodeFromCompressedByteBuffer(payload, 0);
    } catch (DataFormatException
        | IllegalArgumentException
        | IndexOutOfBoundsException
        | BufferUnderflowException
        | NegativeArraySizeException e) {
      throw new IllegalArgumentException("floating-point histogram is damaged: " + e, e);
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
