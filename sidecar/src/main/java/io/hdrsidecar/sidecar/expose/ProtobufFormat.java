package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.Leb128;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Prometheus' protobuf format: one {@code MetricFamily} of {@code io.prometheus.client} behind the
 * other, each with its length in front, so that each piece of a page has families of its own.
 * Prometheus takes several of a name as one.
 *
 * <p>The fields are written by number, as {@code protoc} does it, and so are the created timestamps
 * of histograms, which the Prometheus client leaves out
 * (https://github.com/prometheus/client_java/issues/1498) and without which Prometheus cannot tell
 * a new histogram from one it has missed scrapes of. Numbers and types are from
 * https://github.com/prometheus/client_model/blob/master/io/prometheus/client/metrics.proto:
 *
 * <pre>
 * MetricFamily  1 name  2 help  3 type  4 metric
 * Metric        1 label  5 untyped  7 histogram
 * LabelPair     1 name  2 value
 * Untyped       1 value (double)
 * Histogram     1 sample_count  2 sample_sum (double)  3 bucket  5 schema (sint32)
 *               6 zero_threshold (double)  7 zero_count  12 positive_span
 *               13 positive_delta (sint64, not packed)  15 created_timestamp
 *               16 exemplars
 * Bucket        1 cumulative_count  2 upper_bound (double)  3 exemplar
 * Exemplar      1 label  2 value (double)  3 timestamp
 * BucketSpan    1 offset (sint32)  2 length
 * Timestamp     1 seconds  2 nanos
 * </pre>
 */
final class ProtobufFormat implements SeriesFormat {
  private static final int TYPE_UNTYPED = 3;
  private static final int TYPE_HISTOGRAM = 4;
  private static final int DOUBLE_FIELD_BYTES = 1 + Double.BYTES;

  /** Up to so many empty buckets are written as such; more begin another span. */
  private static final int MAX_GAP = 2;

  private final byte[][] quantiles;
  private final byte[][] windows;
  private final Bytes message = new Bytes();

  ProtobufFormat(ExposeConfig config, List<WindowSpec> windows) {
    this.quantiles = quantileLabels(config);
    this.windows = windowLabels(windows);
  }

  @Override
  public boolean hasNative() {
    return true;
  }

  @Override
  public void putLabel(String name, String value, Bytes out) {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    byte[] valueBytes = value.getBytes(StandardCharsets.UTF_8);
    putLength(1, lengthField(nameBytes.length) + lengthField(valueBytes.length), out);
    putLength(1, nameBytes.length, out);
    out.put(nameBytes);
    putLength(2, valueBytes.length, out);
    out.put(valueBytes);
  }

  @Override
  public FamilyWriter family(FamilyText text) {
    return new ProtobufFamilyWriter(text);
  }

  private static void putTag(int field, int wireType, Bytes out) {
    out.putVarint(field << 3 | wireType);
  }

  private static void putNumber(int field, long number, Bytes out) {
    putTag(field, 0, out);
    out.putVarint(number);
  }

  private static void putSigned(int field, long number, Bytes out) {
    putTag(field, 0, out);
    out.putZigZag(number);
  }

  private static void putDouble(int field, double value, Bytes out) {
    putTag(field, 1, out);
    out.putFixed(value);
  }

  private static void putLength(int field, int length, Bytes out) {
    putTag(field, 2, out);
    out.putVarint(length);
  }

  /** Bytes of a field below 16 that holds so many bytes. */
  private static int lengthField(int bytes) {
    return 1 + Leb128.length(bytes) + bytes;
  }

  private static byte[] head(String name, String help, int type) {
    Bytes head = new Bytes();
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    byte[] helpBytes = help.getBytes(StandardCharsets.UTF_8);
    putLength(1, nameBytes.length, head);
    head.put(nameBytes);
    putLength(2, helpBytes.length, head);
    head.put(helpBytes);
    putNumber(3, type, head);
    return head.toByteArray();
  }

  private final class ProtobufFamilyWriter implements FamilyWriter {
    private final byte[] histogramHead;
    private final byte[] quantileHead;
    private int mark;

    ProtobufFamilyWriter(FamilyText text) {
      histogramHead = head(text.cumulative(), text.help(), TYPE_HISTOGRAM);
      quantileHead = head(text.window(), text.windowHelp(), TYPE_UNTYPED);
    }

    @Override
    public void beginHistograms(PageBytes page, boolean headed) {
      mark = page.mark();
    }

    @Override
    public void histogram(EncodedLabels labels, HistogramReading reading, Bytes out) {
      message.truncate(0);
      putHistogram(reading, message);
      putLength(4, labels.size() + lengthField(message.size()), out);
      labels.putInto(out);
      putLength(7, message.size(), out);
      out.put(message);
    }

    @Override
    public void endHistograms(PageBytes page) {
      page.insertLength(mark, histogramHead);
    }

    @Override
    public void beginQuantiles(PageBytes page, boolean headed) {
      mark = page.mark();
    }

    @Override
    public void quantile(EncodedLabels labels, int quantile, int window, double value, Bytes out) {
      byte[] quantileLabel = quantiles[quantile];
      byte[] windowLabel = windows[window];
      int labelBytes = labels.size() + quantileLabel.length + windowLabel.length;
      putLength(4, labelBytes + lengthField(DOUBLE_FIELD_BYTES), out);
      labels.putWith(quantileLabel, windowLabel, out);
      putLength(5, DOUBLE_FIELD_BYTES, out);
      putDouble(1, value, out);
    }

    @Override
    public void endQuantiles(PageBytes page) {
      page.insertLength(mark, quantileHead);
    }
  }

  private void putHistogram(HistogramReading reading, Bytes out) {
    putNumber(1, reading.count(), out);
    putDouble(2, reading.sum(), out);
    for (int i = 0; i < reading.edges(); i++) {
      long cumulative = reading.cumulativeAt(i);
      Exemplar exemplar = reading.exemplarAt(i);
      int exemplarBytes = exemplar == null ? 0 : lengthField(exemplarBytes(exemplar));
      putLength(3, 1 + Leb128.length(cumulative) + DOUBLE_FIELD_BYTES + exemplarBytes, out);
      putNumber(1, cumulative, out);
      putDouble(2, reading.edgeAt(i), out);
      if (exemplar != null) {
        putExemplar(3, reading, exemplar, out);
      }
    }
    NativeBuckets buckets = reading.nativeBuckets();
    putSigned(5, buckets.schema(), out);
    putDouble(6, NativeSchema.ZERO_THRESHOLD, out);
    putNumber(7, buckets.zeroCount(), out);
    putSpans(buckets, out);
    putDeltas(buckets, out);
    putTimestamp(15, reading.createdMillis(), out);
    for (Exemplar exemplar : reading.exemplars()) {
      putExemplar(16, reading, exemplar, out);
    }
  }

  private void putExemplar(int field, HistogramReading reading, Exemplar exemplar, Bytes out) {
    putLength(field, exemplarBytes(exemplar), out);
    if (!exemplar.spanId().isEmpty()) {
      putLabel("span_id", exemplar.spanId(), out);
    }
    putLabel("trace_id", exemplar.traceId(), out);
    putDouble(2, reading.valueOf(exemplar), out);
    putTimestamp(3, exemplar.millis(), out);
  }

  private static int exemplarBytes(Exemplar exemplar) {
    int spanId = exemplar.spanId().isEmpty() ? 0 : labelBytes("span_id", exemplar.spanId());
    return spanId
        + labelBytes("trace_id", exemplar.traceId())
        + DOUBLE_FIELD_BYTES
        + lengthField(timestampBytes(exemplar.millis()));
  }

  /** Of a label whose name and value are ASCII. */
  private static int labelBytes(String name, String value) {
    return lengthField(lengthField(name.length()) + lengthField(value.length()));
  }

  /** The first span's offset is an index, that of the others the number of buckets between. */
  private static void putSpans(NativeBuckets buckets, Bytes out) {
    int end = 0; // index behind the span before
    int start = 0;
    while (start < buckets.size()) {
      int last = start;
      while (last + 1 < buckets.size() && gapAfter(buckets, last) <= MAX_GAP) {
        last++;
      }
      int offset = buckets.indexAt(start) - end;
      int length = buckets.indexAt(last) - buckets.indexAt(start) + 1;
      int offsetBytes = Leb128.length((long) offset << 1 ^ offset >> 31);
      putLength(12, 1 + offsetBytes + 1 + Leb128.length(length), out);
      putSigned(1, offset, out);
      putNumber(2, length, out);
      end = buckets.indexAt(last) + 1;
      start = last + 1;
    }
  }

  /** How many empty buckets follow the i-th. */
  private static int gapAfter(NativeBuckets buckets, int i) {
    return buckets.indexAt(i + 1) - buckets.indexAt(i) - 1;
  }

  private static void putDeltas(NativeBuckets buckets, Bytes out) {
    long before = 0;
    for (int i = 0; i < buckets.size(); i++) {
      int gap = i == 0 ? 0 : gapAfter(buckets, i - 1);
      for (int empty = 0; empty < gap && gap <= MAX_GAP; empty++) {
        putSigned(13, -before, out);
        before = 0;
      }
      putSigned(13, buckets.countAt(i) - before, out);
      before = buckets.countAt(i);
    }
  }

  private static void putTimestamp(int field, long millis, Bytes out) {
    putLength(field, timestampBytes(millis), out);
    putUnlessZero(1, Math.floorDiv(millis, 1000L), out);
    putUnlessZero(2, nanos(millis), out);
  }

  /** Fields of proto3, as those of Timestamp, that are 0 are not written. */
  private static void putUnlessZero(int field, long number, Bytes out) {
    if (number != 0) {
      putNumber(field, number, out);
    }
  }

  private static int timestampBytes(long millis) {
    return bytesUnlessZero(Math.floorDiv(millis, 1000L)) + bytesUnlessZero(nanos(millis));
  }

  private static int bytesUnlessZero(long number) {
    return number == 0 ? 0 : 1 + Leb128.length(number);
  }

  private static long nanos(long millis) {
    return Math.floorMod(millis, 1000L) * 1_000_000;
  }
}
