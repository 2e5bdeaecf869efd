package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.hlog.IntervalLogWriter;
import io.hdrsidecar.internal.hlog.MalformedLogLineException;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.Deflater;
import org.HdrHistogram.DoubleHistogram;
import org.jspecify.annotations.Nullable;

/**
 * A log that a tool writes. Its times count from the epoch and it says so, which keeps readers from
 * guessing; its StartTime is the first of all, which keeps them from leaving intervals out.
 */
final class LogOutput implements Closeable {
  /** The format shows milliseconds, and most logs count nanoseconds. */
  private static final double MAXIMUM_RATIO = 1_000_000;

  private final IntervalLogWriter writer;

  private LogOutput(OutputStream out) {
    writer = new IntervalLogWriter(out, MAXIMUM_RATIO, Deflater.BEST_COMPRESSION);
  }

  /**
   * Opens a file, or standard output for null.
   *
   * @throws IOException with a message for people
   */
  static LogOutput open(LogConsole console, @Nullable String name, List<LogInput> inputs)
      throws IOException {
    return new LogOutput(
        name == null ? new StandardOutput(console.out()) : TextOutput.open(name, inputs));
  }

  /** Stays open, and tells of failures, which a PrintStream keeps to itself. */
  private static final class StandardOutput extends FilterOutputStream {
    private final PrintStream stream;

    StandardOutput(PrintStream stream) {
      super(new BufferedOutputStream(stream, 1 << 16));
      this.stream = stream;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      out.flush();
      if (stream.checkError()) {
        throw new IOException("standard output: not everything could be written");
      }
    }
  }

  /**
   * The lines before the intervals.
   *
   * @param comment one line of ASCII; cut to what readers in C take
   */
  void writeHeader(String comment, long startMillis) throws IOException {
    writer.writeFormatVersion();
    int longest = Math.min(comment.length(), IntervalLogWriter.MAX_COMMENT_LENGTH - 2);
    writer.writeComment("[" + comment.substring(0, longest) + "]");
    writer.writeBaseTime(0);
    writer.writeStartTime(startMillis);
    writer.writeLegend();
  }

  /** The scan's interval as its log has it, with another tag and other times. */
  void copy(LogScan scan, String tag, long startMillis, long endMillis)
      throws IOException, MalformedLogLineException {
    writer.writeInterval(tag, startMillis, endMillis, scan.interval().maximum(), scan.payload());
  }

  /** An interval that was added up: a line for each layout, as layouts are never mixed. */
  void write(String tag, long startMillis, long endMillis, ValueCounts counts) throws IOException {
    if (counts instanceof IntegerCounts integers) {
      for (IntegerCounts.LayoutPart part : integers.parts()) {
        writer.writeInterval(tag, startMillis, endMillis, part.counts(), part.highestTrackable());
      }
    } else if (counts instanceof FloatingCounts floating) {
      for (DoubleHistogram histogram : floating.byDigits()) {
        writer.writeInterval(
            tag,
            startMillis,
            endMillis,
            histogram.getMaxValueAsDouble() / MAXIMUM_RATIO,
            encoded(histogram));
      }
    }
  }

  private static ByteBuffer encoded(DoubleHistogram histogram) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    histogram.encodeIntoCompressedByteBuffer(bytes, Deflater.BEST_COMPRESSION);
    return bytes.flip();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
