package io.hdrsidecar.internal.hlog;

import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Writes HdrHistogram interval logs of format 1.3, line by line, as {@link
 * org.HdrHistogram.HistogramLogWriter} does, so that any HdrHistogram tool reads them.
 *
 * <p>Two things are stricter: a failing stream raises an IOException, and a tag or comment that
 * would not survive reading is refused. Each line goes to the stream in one write; nothing is
 * flushed. One thread at a time.
 */
public final class IntervalLogWriter implements AutoCloseable {
  /** Longest comment, without the '#': readers in C have lines of 128 bytes for them. */
  public static final int MAX_COMMENT_LENGTH = 125;

  private static final Pattern UNREADABLE_IN_TAG = Pattern.compile("[ ,\r\n]");

  private final OutputStream out;
  private final double maxValueUnitRatio;
  private final int deflateLevel;
  private final HistogramEncoder encoder = new HistogramEncoder();
  private long baseMillis;
  private int lastIndex;

  /**
   * A writer to a stream.
   *
   * @param out closed by {@link #close}
   * @param maxValueUnitRatio the maximum is told divided by this; 1,000,000 for nanoseconds, as the
   *     format shows milliseconds
   * @param deflateLevel 1 to 9; HistogramLogWriter has 9
   */
  public IntervalLogWriter(OutputStream out, double maxValueUnitRatio, int deflateLevel) {
    this.out = out;
    this.maxValueUnitRatio = maxValueUnitRatio;
    this.deflateLevel = deflateLevel;
  }

  /** The line that names the format. */
  public void writeFormatVersion() throws IOException {
    writeComment("[Histogram log format version 1.3]");
  }

  /** When the log began. Times of intervals count from the epoch all the same. */
  public void writeStartTime(long epochMillis) throws IOException {
    writeComment(
        "[StartTime: "
            + seconds(epochMillis)
            + " (seconds since epoch), "
            + Instant.ofEpochMilli(epochMillis)
            + "]");
  }

  /** Times of the intervals that follow count from this moment. */
  public void writeBaseTime(long epochMillis) throws IOException {
    writeComment("[BaseTime: " + seconds(epochMillis) + " (seconds since epoch)]");
    baseMillis = epochMillis;
  }

  /** The line that names the columns. */
  public void writeLegend() throws IOException {
    writeLine(
        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"");
  }

  /**
   * A line for people.
   *
   * @throws IllegalArgumentException when it is longer than {@value #MAX_COMMENT_LENGTH} bytes or
   *     has a line break
   */
  public void writeComment(String comment) throws IOException {
    int length = comment.getBytes(StandardCharsets.UTF_8).length;
    if (length > MAX_COMMENT_LENGTH || comment.matches("(?s).*[\r\n].*")) {
      throw new IllegalArgumentException(
          "comment must be one line of at most "
              + MAX_COMMENT_LENGTH
              + " bytes, but has "
              + length
              + ": "
              + comment);
    }
    writeLine("#" + comment);
  }

  /**
   * One interval.
   *
   * @param tag empty for none
   * @param startMillis since the epoch, not before the base time
   * @param endMillis since the epoch, not before the start
   * @param highestTrackableValue of the histogram; goes into its header
   * @throws IllegalArgumentException when the tag has a space, a comma or a line break, or the
   *     times are out of order
   */
  public void writeInterval(
      String tag, long startMillis, long endMillis, PagedCounts counts, long highestTrackableValue)
      throws IOException {
    ByteBuffer payload = encoder.encode(counts, highestTrackableValue, deflateLevel);
    writeInterval(tag, startMillis, endMillis, highestValue(counts) / maxValueUnitRatio, payload);
  }

  /**
   * One interval whose histogram is encoded already, such as one that was read.
   *
   * @param tag empty for none
   * @param startMillis since the epoch, not before the base time
   * @param endMillis since the epoch, not before the start
   * @param maximum as the line is to tell it
   * @param payload an encoded and compressed histogram, from position to limit; not changed
   * @throws IllegalArgumentException when the tag has a space, a comma or a line break, or the
   *     times are out of order
   */
  public void writeInterval(
      String tag, long startMillis, long endMillis, double maximum, ByteBuffer payload)
      throws IOException {
    if (UNREADABLE_IN_TAG.matcher(tag).find()) {
      throw new IllegalArgumentException("tag must have no space, comma or line break: " + tag);
    }
    if (startMillis < baseMillis || endMillis < startMillis) {
      throw new IllegalArgumentException(
          "base time, start and end must be in order: "
              + baseMillis
              + ", "
              + startMillis
              + ", "
              + endMillis);
    }
    writeLine(
        (tag.isEmpty() ? "" : "Tag=" + tag + ",")
            + seconds(startMillis - baseMillis)
            + ","
            + seconds(endMillis - startMillis)
            + ","
            + String.format(Locale.ROOT, "%.3f", maximum)
            + ","
            + StandardCharsets.ISO_8859_1.decode(Base64.getEncoder().encode(payload.duplicate())));
  }

  private double highestValue(PagedCounts counts) {
    lastIndex = -1;
    counts.forEach((index, count) -> lastIndex = index);
    return lastIndex < 0 ? 0 : counts.layout().highestValueAt(lastIndex);
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%d.%03d", millis / 1000, millis % 1000);
  }

  private void writeLine(String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Frees the encoder and closes the stream. */
  @Override
  public void close() throws IOException {
    encoder.close();
    out.close();
  }
}
