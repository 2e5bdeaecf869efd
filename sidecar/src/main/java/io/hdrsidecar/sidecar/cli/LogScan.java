package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.hlog.IntervalLogLine;
import io.hdrsidecar.internal.hlog.IntervalLogReader;
import io.hdrsidecar.internal.hlog.MalformedLogLineException;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.DoubleHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Reads the selected intervals of one log, from front to end and in constant memory. Lines that
 * cannot be read are left out with a warning, and so is what follows a place where the file itself
 * ends too early or fails. One thread at a time.
 */
final class LogScan implements AutoCloseable {
  private static final int MAX_LINE_BYTES = 64 << 20;

  /** Enough for 5 digits over the whole range of a long. */
  private static final int MAX_COUNTERS = 1 << 23;

  private final LogInput file;
  private final IntervalSelection selection;
  private final Messages messages;
  private final LineQueue queue;
  private @Nullable DecodedHistogram histogram = new DecodedHistogram();
  private LogEntry entry = entryOf(new DecodedHistogram());
  private long lines;
  private long intervals;
  private boolean ended;

  /**
   * Opens a log.
   *
   * @param decodeAhead whether other threads may decode lines before their turn, which makes this
   *     quicker; not for many logs at once
   * @throws IOException with a message for people
   */
  LogScan(LogInput file, IntervalSelection selection, Messages messages, boolean decodeAhead)
      throws IOException {
    this(file, file.open(messages), selection, messages, decodeAhead);
  }

  /**
   * Reads a log that is open already.
   *
   * @param in its lines, not compressed; closed by {@link #close}
   */
  LogScan(
      LogInput file,
      InputStream in,
      IntervalSelection selection,
      Messages messages,
      boolean decodeAhead) {
    this.file = file;
    this.selection = selection;
    this.messages = messages;
    this.queue =
        new LineQueue(
            new IntervalLogReader(in, MAX_LINE_BYTES, MAX_COUNTERS),
            this::isSelected,
            MAX_COUNTERS,
            decodeAhead);
  }

  LogInput file() {
    return file;
  }

  /** Tag and times of the current interval. */
  IntervalLogLine interval() {
    return queue.line().interval();
  }

  /** What the current interval counted, corrected if the selection says so. */
  LogEntry entry() {
    return entry;
  }

  /**
   * The histogram of the current interval as it was recorded, or null when its values are
   * floating-point ones.
   */
  @Nullable DecodedHistogram histogram() {
    return histogram;
  }

  /** How many bytes come before the text of the current histogram, in what was read. */
  long histogramOffset() {
    return queue.line().histogramOffset();
  }

  /** Length of the text of the current histogram, in bytes. */
  int histogramLength() {
    return queue.line().histogramLength();
  }

  /** Unit of the values, when the log says which program wrote it; null otherwise. */
  @Nullable Unit unit() {
    return queue.line().unit();
  }

  /** What relative times of this log count from, seconds since the epoch. */
  double startSeconds() {
    return queue.line().logStartSeconds();
  }

  /** File and line of the current interval. */
  String place() {
    return file.displayName() + ":" + interval().line();
  }

  /** Leaves the current interval out, with a warning. */
  void refuse(String reason) {
    messages.refused(file.displayName(), interval().line(), reason);
  }

  /** Goes to the next interval that is selected and whole; false at the end. */
  boolean next() {
    while (!ended) {
      try {
        if (!queue.next()) {
          end();
          tellIfUnused();
          return false;
        }
        lines = interval().line();
        decode();
        return true;
      } catch (MalformedLogLineException e) {
        lines = e.line();
        messages.refused(file.displayName(), e.line(), String.valueOf(e.getMessage()));
      } catch (IllegalArgumentException e) {
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

  private void tellIfUnused() {
    if (lines > 0) {
      return; // what was selected is used, or it has been told why not
    }
    String name = file.displayName();
    messages.unused(
        intervals == 0
            ? name + ": has no interval; a line of a log is START,LENGTH,MAXIMUM,HISTOGRAM"
            : name
                + ": none of its "
                + intervals
                + " intervals was selected; `log tags` shows the tags and times of a log");
  }

  private void end() {
    ended = true;
    messages.endOf(file.displayName());
  }

  private boolean isSelected(IntervalLogLine interval, double logStart) {
    intervals++;
    return selection.tags().test(interval.tag())
        && selection.range().contains(interval.startSeconds(), logStart);
  }

  /** The histogram as the line has it, encoded; valid until the scan goes on. */
  ByteBuffer payload() throws MalformedLogLineException {
    return queue.payload();
  }

  private void decode() throws MalformedLogLineException {
    DecodedHistogram decoded = queue.decode();
    histogram = decoded;
    LogEntry recorded =
        decoded == null ? LogEntry.ofFloating(floating(payload())) : entryOf(decoded);
    entry = selection.correction().apply(recorded);
  }

  private static LogEntry entryOf(DecodedHistogram histogram) {
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
    queue.close();
  }
}
