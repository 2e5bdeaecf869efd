package io.hdrsidecar.internal.hlog;

import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads HdrHistogram interval logs, line by line, with histograms in encoding V0, V1 or V2.
 *
 * <pre>
 * #[Histogram log format version 1.3]
 * #[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]
 * "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
 * 0.127,1.007,2.769,HISTFAAAAEV42pNpmSzMwMCgyAABTBDKT4GBgdnNYMcCBvsPEBEJISEuATEZMQ4uASkhIR4nrxg9v2lM...
 * Tag=read,1.134,0.999,0.442,HISTFAAAAEJ42pNpmSzMwMAgxwABTBDKT4GBgdnNYMcCBvsPEBEWLj45FTExAT4pBSEBKa6U...
 * </pre>
 *
 * <p>Fields end with a space, a comma or the line; what follows the histogram is ignored, and so is
 * a byte order mark of UTF-8. A bad line costs only itself: after its exception, {@link #next} goes
 * on with the line after it. That is the difference to {@link org.HdrHistogram.HistogramLogReader},
 * which stops, and which also fails on a last line without a line end. Memory is bounded by the
 * longest line allowed. One thread at a time.
 */
public final class IntervalLogReader implements AutoCloseable {
  private static final String TAG = "Tag=";
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}; // UTF-8

  private final InputStream in;
  private final LogLines lines;
  private final int maxLineBytes;
  private final Base64Histogram histogram;
  private final LogTime time = new LogTime();
  private @Nullable Unit unit;
  private int fieldFrom;
  private int fieldTo;

  /**
   * A reader of one log.
   *
   * @param in closed by {@link #close}
   * @param maxLineBytes longer lines are refused
   * @param maxCounters histograms that need more counters are refused
   */
  public IntervalLogReader(InputStream in, int maxLineBytes, int maxCounters) {
    this.in = in;
    this.lines = new LogLines(in, maxLineBytes);
    this.maxLineBytes = maxLineBytes;
    this.histogram = new Base64Histogram(maxCounters);
  }

  /**
   * Reads up to the next interval.
   *
   * @param into receives the interval; on an exception its contents are undefined
   * @return false at the end of the log
   * @throws MalformedLogLineException for a bad line; the next call goes on behind it
   * @throws IOException when the stream fails
   */
  public boolean next(IntervalLogLine into) throws IOException, MalformedLogLineException {
    if (!nextLine(into)) {
      return false;
    }
    decode(into);
    return true;
  }

  /**
   * Reads up to the next interval, and of it all but the histogram, which {@link #decode}, {@link
   * #payload} or {@link #histogramText} then give: who looks for a tag or a time need not decode
   * the rest.
   *
   * @param into receives tag and times; its histogram is that of another line until decoded
   * @return false at the end of the log
   * @throws MalformedLogLineException for a bad line; the next call goes on behind it
   * @throws IOException when the stream fails
   */
  public boolean nextLine(IntervalLogLine into) throws IOException, MalformedLogLineException {
    while (lines.next()) {
      if (lines.length() > maxLineBytes) {
        throw bad(
            MalformedLogLineException.LINE_TOO_LONG,
            "the line has " + lines.length() + " bytes, at most " + maxLineBytes + " can be read");
      }
      fieldTo = lines.from() + byteOrderMarkLength();
      if (nextField() && !isRemark()) {
        readInterval(into);
        return true;
      }
    }
    return false;
  }

  /** Editors put such a mark before the first line; files put together have it anywhere. */
  private int byteOrderMarkLength() {
    byte[] bytes = lines.bytes();
    int from = lines.from();
    boolean marked =
        lines.to() - from >= BYTE_ORDER_MARK.length
            && Arrays.equals(
                bytes,
                from,
                from + BYTE_ORDER_MARK.length,
                BYTE_ORDER_MARK,
                0,
                BYTE_ORDER_MARK.length);
    return marked ? BYTE_ORDER_MARK.length : 0;
  }

  /** Comments and the legend; takes the times that comments tell. */
  private boolean isRemark() throws MalformedLogLineException {
    if (lines.bytes()[fieldFrom] == '#') {
      if (fieldIs("#[StartTime:")) {
        time.startAt(seconds("start time", true));
      } else if (fieldIs("#[BaseTime:")) {
        time.countFrom(seconds("base time", true));
      } else if (fieldIs("#[Logged") && nextFieldIs("with") && nextFieldIs("jHiccup")) {
        unit = Unit.NANOSECONDS;
      } else if (fieldIs("#[Logging") && nextFieldIs("for:")) { // YCSB
        unit = Unit.MICROSECONDS;
      }
      return true;
    }
    return fieldStartsWith("\"StartTimestamp\"");
  }

  private void readInterval(IntervalLogLine into) throws MalformedLogLineException {
    String tag = "";
    boolean more = true;
    if (fieldContains('=')) {
      tag = tag();
      more = nextField();
    }
    if (!more) {
      throw missingHistogram();
    }
    double start = time.absolute(seconds("start", false));
    double end = start + seconds("length", true);
    double maximum = seconds("maximum", true);
    if (!LogTime.isInRange(start) || !LogTime.isInRange(end)) {
      throw bad(
          MalformedLogLineException.BAD_TIMESTAMP,
          "interval must lie between the years 1970 and 9999: " + start + ".." + end + " seconds");
    }
    if (!nextField()) {
      throw missingHistogram();
    }
    into.set(lines.number(), tag, start, end, maximum);
  }

  /**
   * Decodes the histogram of the line that {@link #nextLine} read last.
   *
   * @param into receives it; on an exception its contents are undefined
   * @throws MalformedLogLineException when it is damaged or passes a limit
   */
  public void decode(IntervalLogLine into) throws MalformedLogLineException {
    readHistogram();
    histogram.decode(into.histogram());
  }

  /**
   * The histogram of the line that {@link #nextLine} read last, as it was encoded.
   *
   * @return from 0 to the limit; overwritten by the next call of any method here
   * @throws MalformedLogLineException when it is no base64
   */
  public ByteBuffer payload() throws MalformedLogLineException {
    readHistogram();
    return histogram.payload();
  }

  private void readHistogram() throws MalformedLogLineException {
    histogram.read(lines.bytes(), fieldFrom, fieldTo, lines.number());
  }

  /**
   * The histogram of the line that {@link #nextLine} read last, as the text of the line has it, for
   * a {@link Base64Histogram}.
   *
   * @return from position to limit of its array; overwritten by the next line
   */
  public ByteBuffer histogramText() {
    return ByteBuffer.wrap(lines.bytes(), fieldFrom, fieldTo - fieldFrom);
  }

  /**
   * Where that text begins: how many bytes of the log come before it. With the length of the text,
   * the histogram can be read again without reading the log.
   */
  public long histogramOffset() {
    return lines.bytesBefore() + fieldFrom;
  }

  /**
   * When the log says it started, in seconds since the epoch: its StartTime, or without one the
   * time of its first interval; 0 before either was read. Relative times of a log count from it.
   */
  public double startSeconds() {
    return time.startSeconds();
  }

  /**
   * The unit of the values, where a comment read so far names a program whose unit is known:
   * jHiccup logs nanoseconds, YCSB microseconds. Null otherwise, as the format has no place for it.
   */
  public @Nullable Unit unit() {
    return unit;
  }

  private boolean nextFieldIs(String text) {
    return nextField() && fieldIs(text);
  }

  private String tag() throws MalformedLogLineException {
    if (!fieldStartsWith(TAG) || fieldTo - fieldFrom == TAG.length()) {
      throw bad(
          MalformedLogLineException.BAD_TAG, "a tag is written Tag=NAME: " + abbreviated(field()));
    }
    try {
      int length = fieldTo - fieldFrom - TAG.length();
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(lines.bytes(), fieldFrom + TAG.length(), length))
          .toString();
    } catch (CharacterCodingException e) {
      throw bad(MalformedLogLineException.BAD_TAG, "tag is not UTF-8: " + abbreviated(field()));
    }
  }

  /** The current field, or the next one, as a finite number of 0 or more. */
  private double seconds(String what, boolean next) throws MalformedLogLineException {
    if (next && !nextField()) {
      throw missingHistogram();
    }
    double number = DecimalText.parse(lines.bytes(), fieldFrom, fieldTo);
    if (!(number >= 0 && number <= Double.MAX_VALUE)) {
      throw bad(
          MalformedLogLineException.BAD_TIMESTAMP,
          what + " must be a number of 0 or more: " + abbreviated(field()));
    }
    return number;
  }

  private boolean nextField() {
    byte[] bytes = lines.bytes();
    fieldFrom = fieldTo;
    while (fieldFrom < lines.to() && isDelimiter(bytes[fieldFrom])) {
      fieldFrom++;
    }
    fieldTo = fieldFrom;
    while (fieldTo < lines.to() && !isDelimiter(bytes[fieldTo])) {
      fieldTo++;
    }
    return fieldTo > fieldFrom;
  }

  private static boolean isDelimiter(byte b) {
    return b == ',' || b == ' ';
  }

  private String field() {
    return new String(lines.bytes(), fieldFrom, fieldTo - fieldFrom, StandardCharsets.UTF_8);
  }

  private boolean fieldIs(String text) {
    return fieldTo - fieldFrom == text.length() && fieldStartsWith(text);
  }

  private boolean fieldStartsWith(String text) {
    if (fieldTo - fieldFrom < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (lines.bytes()[fieldFrom + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean fieldContains(char wanted) {
    for (int i = fieldFrom; i < fieldTo; i++) {
      if (lines.bytes()[i] == wanted) {
        return true;
      }
    }
    return false;
  }

  private static String abbreviated(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }

  private MalformedLogLineException missingHistogram() {
    return bad(
        MalformedLogLineException.MISSING_HISTOGRAM,
        "a line has start, length, maximum and histogram: "
            + abbreviated(
                new String(
                    lines.bytes(),
                    lines.from(),
                    lines.to() - lines.from(),
                    StandardCharsets.UTF_8)));
  }

  private MalformedLogLineException bad(String reason, String message) {
    return new MalformedLogLineException(lines.number(), reason, message);
  }

  /** Frees the decoder and closes the stream. */
  @Override
  public void close() throws IOException {
    histogram.close();
    in.close();
  }
}
