package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.merge.Distribution;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.HdrHistogram.Histogram;

/**
 * Answers {@code GET /api/v1/histogram}.
 *
 * <p>All numbers are in the series' own unit. Count, sum, minimum and maximum are those of the
 * values (of the buckets, where only buckets were sent); a percentile is the highest value of the
 * bucket that reaches it, by HdrHistogram's rule, but not above the maximum.
 */
public final class HistogramAnswers {
  private final SeriesStore store;
  private final int maxSeries;

  /**
   * Answers from this store.
   *
   * @param maxSeries most series one query may look at
   */
  public HistogramAnswers(SeriesStore store, int maxSeries) {
    this.store = store;
    this.maxSeries = maxSeries;
  }

  /**
   * Answers one query. Any thread; takes time and memory in proportion to the buckets of all series
   * matched.
   *
   * @param binary whether the caller takes V2 as bytes instead of base64 text
   * @throws ApiException when nothing matches, or units differ
   */
  public Answer answer(HistogramQuery query, boolean binary) throws ApiException {
    SeriesJoin join = SeriesJoin.of(query, store, maxSeries);
    return switch (query.format()) {
      case JSON -> Envelope.success(json(query, join));
      case HGRM -> hgrm(query, histogram(join));
      case V2 -> v2(histogram(join), binary);
    };
  }

  private static JsonObject json(HistogramQuery query, SeriesJoin join) {
    Distribution distribution = join.distribution();
    boolean empty = distribution.count() == 0;
    JsonArray names = new JsonArray();
    join.series().forEach(series -> names.add(series.key().toString()));
    JsonObject data =
        new JsonObject()
            .put("series", names)
            .put("window", query.window())
            .put("unit", join.unit().symbol())
            .put("count", distribution.count())
            .put("sum", distribution.sum().toBigInteger())
            .put("sumIsExact", distribution.sumIsExact())
            .put("min", empty ? null : distribution.min())
            .put("max", empty ? null : distribution.max())
            .put("percentiles", percentiles(query, distribution));
    return query.withBuckets() ? data.put("buckets", buckets(distribution)) : data;
  }

  private static JsonArray percentiles(HistogramQuery query, Distribution distribution) {
    JsonArray percentiles = new JsonArray();
    if (distribution.count() > 0) {
      for (BigDecimal percentile : query.percentiles()) {
        long value = distribution.valueAtPercentile(percentile.doubleValue());
        percentiles.add(
            new JsonObject()
                .put("percentile", plain(percentile))
                .put("value", distribution.withinExtremes(value)));
      }
    }
    return percentiles;
  }

  /** Without trailing zeros, and never as 1E+2. */
  private static BigDecimal plain(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private static JsonArray buckets(Distribution distribution) {
    JsonArray buckets = new JsonArray();
    for (int i = 0; i < distribution.size(); i++) {
      buckets.add(
          new JsonObject()
              .put("lowest", distribution.lowestAt(i))
              .put("highest", distribution.highestAt(i))
              .put("count", distribution.countAt(i)));
    }
    return buckets;
  }

  private static Histogram histogram(SeriesJoin join) throws ApiException {
    try {
      return join.distribution().toHistogram();
    } catch (ArithmeticException e) {
      throw ApiException.badParameter(
          "series", "the counts of all series matched add up to more than 2^63 - 1");
    }
  }

  private static Answer hgrm(HistogramQuery query, Histogram histogram) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(text, false, StandardCharsets.UTF_8)) {
      histogram.outputPercentileDistribution(out, query.ticks(), query.ratio());
    }
    return new Answer("text/plain; charset=utf-8", Buffer.buffer(text.toByteArray()));
  }

  private static Answer v2(Histogram histogram, boolean binary) {
    ByteBuffer encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(encoded);
    byte[] payload = Arrays.copyOf(encoded.array(), length);
    return binary
        ? new Answer("application/octet-stream", Buffer.buffer(payload))
        : new Answer(
            "text/plain; charset=us-ascii",
            Buffer.buffer(Base64.getEncoder().encodeToString(payload)));
  }
}
