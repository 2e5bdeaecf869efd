package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.hlog.Base64Histogram;
import io.hdrsidecar.internal.hlog.IntervalLogLine;
import io.hdrsidecar.internal.hlog.MalformedLogLineException;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Unit;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One selected line of a log on its way through a {@link LineBatch}: read, then perhaps decoded,
 * then used. Reused from line to line. One thread at a time.
 */
final class ScannedLine {
  /**
   * A batch keeps no larger histograms than of so many buckets: there are many lines, and memory
   * must not depend on what is in them.
   */
  private static final int MAX_BUCKETS_KEPT = 8192;

  /** {@code DoubleHistogram}'s encodings, compressed. */
  private static final int FLOATING_COOKIE = 0x0c72124f;

  private final IntervalLogLine interval = new IntervalLogLine();
  private DecodedHistogram histogram = new DecodedHistogram();
  private boolean decoded;
  private int textFrom;
  private int textTo;
  private double logStartSeconds;
  private @Nullable Unit unit;
  private long offset;
  private @Nullable MalformedLogLineException failure;

  /** Tag and times. */
  IntervalLogLine interval() {
    return interval;
  }

  /** When the log says it started, as it was known at this line. */
  double logStartSeconds() {
    return logStartSeconds;
  }

  /** Unit of the values, as far as it was known at this line; null otherwise. */
  @Nullable Unit unit() {
    return unit;
  }

  /** How many bytes of the log come before the text of the histogram. */
  long histogramOffset() {
    return offset;
  }

  /** Length of the text of the histogram. */
  int histogramLength() {
    return textTo - textFrom;
  }

  /** The line was read; its histogram stands in the batch's text. */
  void read(int from, int to, long histogramOffset, double logStart, @Nullable Unit unitOfLog) {
    unit = unitOfLog;
    textFrom = from;
    textTo = to;
    offset = histogramOffset;
    logStartSeconds = logStart;
    failure = null;
    decoded = false;
  }

  /** The line cannot be used. */
  void failed(MalformedLogLineException why) {
    failure = why;
  }

  @Nullable MalformedLogLineException failure() {
    return failure;
  }

  /**
   * Decodes the histogram beforehand if it is an ordinary one. Of any other, {@link #decode} says
   * later what it is, so whatever goes wrong goes wrong there.
   */
  void tryToDecode(byte[] text, Base64Histogram decoder) {
    if (failure != null) {
      return;
    }
    try {
      decoder.read(text, textFrom, textTo, interval.line());
      if (isFloating(decoder.payload())) {
        return;
      }
      decoder.decode(histogram);
    } catch (MalformedLogLineException e) {
      return;
    }
    if (histogram.counts().size() <= MAX_BUCKETS_KEPT) {
      decoded = true;
    } else {
      histogram = new DecodedHistogram();
    }
  }

  /**
   * The histogram of integers, or null when it is one of floating-point values, which {@link
   * #payload} then has.
   *
   * @throws MalformedLogLineException when it is damaged or passes a limit
   */
  @Nullable DecodedHistogram decode(byte[] text, Base64Histogram decoder)
      throws MalformedLogLineException {
    if (!decoded) {
      if (isFloating(payload(text, decoder))) {
        return null;
      }
      decoder.decode(histogram);
      decoded = true;
    }
    return histogram;
  }

  /** The histogram as it was encoded; overwritten by the next use of the decoder. */
  ByteBuffer payload(byte[] text, Base64Histogram decoder) throws MalformedLogLineException {
    decoder.read(text, textFrom, textTo, interval.line());
    return decoder.payload();
  }

  private static boolean isFloating(ByteBuffer payload) {
    return payload.limit() >= Integer.BYTES && payload.getInt(0) == FLOATING_COOKIE;
  }
}
