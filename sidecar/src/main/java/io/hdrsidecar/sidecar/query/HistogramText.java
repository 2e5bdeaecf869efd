package io.hdrsidecar.sidecar.query;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
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
  private static final String PLAIN = "text/plain; charset=utf-8";

  private final Histogram histogram;
  private final List<Map.Entry<String, String>> headers;

  /**
   * Writes this one.
   *
   * @param headers say what the bytes have no place for
   */
  HistogramText(Histogram histogram, List<Map.Entry<String, String>> headers) {
    this.histogram = histogram;
    this.headers = headers;
  }

  /** Percentile text, or the same as comma-separated values. */
  Answer percentiles(HistogramQuery query, boolean csv) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(text, false, StandardCharsets.UTF_8)) {
      histogram.outputPercentileDistribution(out, query.ticks(), query.ratio(), csv);
    }
    String type = csv ? "text/csv; charset=utf-8" : PLAIN;
    return new Answer(type, Buffer.buffer(text.toByteArray()), headers);
  }

  /** An interval log with one line, or none if nothing was counted. */
  Answer log(long startMillis, long endMillis, double ratio) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
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
    return new Answer(PLAIN, Buffer.buffer(text.toByteArray()), headers);
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
    return binary
        ? new Answer("application/octet-stream", Buffer.buffer(payload), headers)
        : new Answer(
            "text/plain; charset=us-ascii",
            Buffer.buffer(Base64.getEncoder().encodeToString(payload)),
            headers);
  }
}
