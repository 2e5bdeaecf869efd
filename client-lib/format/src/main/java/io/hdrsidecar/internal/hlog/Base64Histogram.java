package io.hdrsidecar.internal.hlog;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.WholeInflater;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the last field of a log's line: base64, and inside it a histogram. Apart from {@link
 * IntervalLogReader}, so that a line can be decoded on another thread than the one that reads.
 *
 * <p>Made to be reused: after warm-up, decoding allocates nothing but small views. One thread at a
 * time; {@link #close} frees native memory.
 */
public final class Base64Histogram implements AutoCloseable {
  private final Base64Text base64 = new Base64Text();
  private final HistogramDecoder decoder;
  private long line;

  /**
   * A decoder.
   *
   * @param maxCounters histograms that need more counters are refused
   */
  public Base64Histogram(int maxCounters) {
    this(maxCounters, null);
  }

  /**
   * A decoder that asks an inflater before zlib.
   *
   * @param maxCounters histograms that need more counters are refused
   * @param wholeStreams the inflater, or null for zlib alone
   */
  public Base64Histogram(int maxCounters, @Nullable WholeInflater wholeStreams) {
    this.decoder = HistogramDecoder.ofLogs(maxCounters, wholeStreams);
  }

  /**
   * Decodes the base64 of one field, which {@link #payload} and {@link #decode} then are about.
   *
   * @param from where the field begins in the text
   * @param to where it ends
   * @param ofLine number of its line, for exceptions
   * @throws MalformedLogLineException when it is no base64
   */
  public void read(byte[] text, int from, int to, long ofLine) throws MalformedLogLineException {
    line = ofLine;
    try {
      base64.decode(text, from, to);
    } catch (IllegalArgumentException e) {
      throw new MalformedLogLineException(
          line, MalformedLogLineException.BAD_BASE64, "histogram is no base64: " + e.getMessage());
    }
  }

  /** The histogram as it was encoded, from 0 to the limit; overwritten by the next field. */
  public ByteBuffer payload() {
    return ByteBuffer.wrap(base64.bytes(), 0, base64.length());
  }

  /**
   * Decodes the histogram.
   *
   * @param into receives it; on an exception its contents are undefined
   * @throws MalformedLogLineException when it is damaged or passes a limit
   */
  public void decode(DecodedHistogram into) throws MalformedLogLineException {
    try {
      decoder.decode(base64.bytes(), 0, base64.length(), into);
    } catch (MalformedFrameException e) {
      throw new MalformedLogLineException(line, e.reason().label(), String.valueOf(e.getMessage()));
    }
  }

  /** Frees the decoder. */
  @Override
  public void close() {
    decoder.close();
  }
}
