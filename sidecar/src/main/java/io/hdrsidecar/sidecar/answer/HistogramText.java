package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.answer.HistogramQuery.Format;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** A histogram in the forms that HdrHistogram itself writes, byte for byte. */
final class HistogramText {
  /** A number of 64 bits, 7 bits a byte, the last 8. */
  private static final long MAX_COUNTER_BYTES = 9;

  private static final String PLAIN = "text/plain; charset=utf-8";

  private final Histogram histogram;
  private final List<Map.Entry<String, String>> headers;
  private final HeapClaim claim;

  /**
   * Writes this one.
   *
   * @param headers say what the bytes have no place for
   * @param claim to the bytes
   */
  HistogramText(Histogram histogram, List<Map.Entry<String, String>> headers, HeapClaim claim) {
    this.histogram = histogram;
    this.headers = headers;
    this.claim = claim;
  }

  /**
   * Takes what it takes to make a histogram of these counts and to encode it.
   *
   * @param highestTrackableValue where its range ends, unless there are buckets above it
   */
  static void claim(
      Format format, Distribution counts, long highestTrackableValue, HeapClaim claim) {
    long counters = counts.histogramCounters(highestTrackableValue);
    claim.grow(HeapShare.arrayCost(Long.BYTES * counters));
    if (format == Format.V2 || format == Format.HLOG) {
      long plain = HeapShare.arrayCost(MAX_COUNTER_BYTES * counters);
      // A bucket and the run of empty ones before it; compressed, as base64, and copied.
      long encoded = HeapShare.arrayCost(2 * MAX_COUNTER_BYTES * counts.size());
      claim.grow(2 * plain + 5 * encoded);
    }
  }

  /** Percentile text, or the same as comma-separated values. */
  Answer percentiles(HistogramQuery query, boolean csv) {
    AnswerBytes text = new AnswerBytes(claim);
    try (PrintStream out = new PrintStream(text, false, StandardCharsets.UTF_8)) {
      histogram.outputPercentileDistribution(out, query.ticks(), query.ratio(), csv);
    }
    String type = csv ? "text/csv; charset=utf-8" : PLAIN;
    return new Answer(type, text.blocks(), headers);
  }

  /** An interval log with one line, or none if nothing was counted. */
  Answer log(long startMillis, long endMillis, double ratio) {
    AnswerBytes text = new AnswerBytes(claim);
    HistogramLogWriter log = new HistogramLogWriter(text);
    headers.forEach(each -> log.outputComment("[" + each.getKey() + ": " + each.getValue() + "]"));
    log.outputLogFormatVersion();
    log.outputStartTime(startMillis);
    log.outputBaseTime(startMillis);
    log.outputLegend();
    if (histogram.getTotalCount() > 0) {
      log.outputIntervalHistogram(0, (endMillis - startMillis) / 1000.0, histogram, ratio);
    }
    log.close();
    return new Answer(PLAIN, text.blocks(), headers);
  }

  /**
   * HdrHistogram's V2 encoding, compressed.
   *
   * @param binary as bytes, not as base64 text
   */
  Answer v2(boolean binary) {
    ByteBuffer encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(encoded);
    byte[] payload = Arrays.copyOf(encoded.array(), length);
    AnswerBytes bytes = new AnswerBytes(claim);
    byte[] sent = binary ? payload : Base64.getEncoder().encode(payload);
    bytes.write(sent, 0, sent.length);
    String type = binary ? "application/octet-stream" : "text/plain; charset=us-ascii";
    return new Answer(type, bytes.blocks(), headers);
  }
}
