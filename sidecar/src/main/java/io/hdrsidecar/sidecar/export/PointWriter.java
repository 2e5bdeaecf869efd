package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.expose.ExponentialReading;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.otlp.WireReader;
import io.hdrsidecar.sidecar.otlp.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Writes a series as a data point of an exponential histogram. Numbers of fields are from {@code
 * opentelemetry/proto/metrics/v1/metrics.proto}:
 *
 * <pre>
 * ExponentialHistogramDataPoint  1 attributes  2 start_time_unix_nano  3 time_unix_nano  4 count
 *   5 sum  6 scale (sint32)  7 zero_count  8 positive  11 exemplars  12 min  13 max
 * Buckets   1 offset (sint32)  2 bucket_counts (uint64, packed)
 * Exemplar  2 time_unix_nano  3 as_double  4 span_id  5 trace_id
 * KeyValue  1 key  2 value     AnyValue  1 string_value
 * </pre>
 *
 * <p>One thread at a time.
 */
final class PointWriter {
  private static final Pattern TRACE_ID = Pattern.compile("[0-9a-fA-F]{32}");
  private static final Pattern SPAN_ID = Pattern.compile("[0-9a-fA-F]{16}");
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** So late an interval may come; receivers know an exemplar that comes twice. */
  private static final long LATE_NANOS = 10_000_000_000L;

  private final WireWriter out;
  private final ExponentialReading reading;
  private final boolean isDelta;

  PointWriter(WireWriter out, int maxBuckets, boolean isDelta) {
    this.out = out;
    this.reading = new ExponentialReading(maxBuckets);
    this.isDelta = isDelta;
  }

  /**
   * Reads a series, and says what is to be remembered of its point. {@link #write} follows, if
   * anything was counted that a point of this temporality tells.
   */
  SentPoint read(Series series, SentPoint before, long timeNanos) {
    reading.readFrom(series);
    if (!isDelta) {
      return SentPoint.cumulative(reading.count(), timeNanos);
    }
    if (before.length() > 0) {
      reading.coarsenTo(before.scale());
    }
    return SentPoint.of(reading, timeNanos);
  }

  /**
   * Writes what was read last.
   *
   * @param field its number in the message around it
   * @param before the point that the receiver has
   * @param startNanos of a point that tells all since the beginning
   */
  void write(int field, Series series, SentPoint before, long startNanos, long timeNanos) {
    boolean isFirst = before.timeNanos() == 0;
    long start = isDelta && !isFirst ? Math.min(before.timeNanos(), timeNanos - 1) : startNanos;
    Unit unit = series.unit();
    int point = out.begin(field);
    series.key().labels().forEach((name, value) -> attribute(1, name, value));
    fixed(2, start);
    fixed(3, timeNanos);
    long[] counts = reading.counts();
    long count = reading.count();
    long zeroCount = reading.zeroCount();
    ExactSum sum = new ExactSum();
    sum.set(reading.sum());
    if (isDelta) {
      before.takeFrom(counts, reading.scale(), reading.firstIndex());
      count -= before.count();
      zeroCount -= before.zeroCount();
      sum.subtract(before.sumHigh(), before.sumLow());
    }
    fixed(4, count);
    real(5, unit.toBaseUnit(sum.toDouble()));
    out.tag(6, WireReader.VARINT);
    out.sint32(reading.scale());
    fixed(7, zeroCount);
    buckets(counts, reading.firstIndex());
    exemplars(series.exemplars(), unit, before.timeNanos());
    if (!isDelta && reading.hasMin()) {
      real(12, unit.toBaseUnit((double) reading.min()));
    }
    if (!isDelta && reading.hasMax()) {
      real(13, unit.toBaseUnit((double) reading.max()));
    }
    out.end(point);
  }

  private void buckets(long[] counts, int firstIndex) {
    int first = 0;
    int end = counts.length;
    while (first < end && counts[first] == 0) {
      first++;
    }
    while (end > first && counts[end - 1] == 0) {
      end--;
    }
    if (first == end) {
      return;
    }
    int buckets = out.begin(8);
    out.tag(1, WireReader.VARINT);
    out.sint32(firstIndex + first);
    int row = out.begin(2);
    for (int i = first; i < end; i++) {
      out.varint(counts[i]);
    }
    out.end(row);
    out.end(buckets);
  }

  /** Those with ids as OpenTelemetry has them that are new, or may be. */
  private void exemplars(List<Exemplar> exemplars, Unit unit, long afterNanos) {
    for (Exemplar exemplar : exemplars) {
      long timeNanos = exemplar.millis() * NANOS_PER_MILLI;
      if (timeNanos > afterNanos - LATE_NANOS && TRACE_ID.matcher(exemplar.traceId()).matches()) {
        int message = out.begin(11);
        fixed(2, timeNanos);
        real(3, unit.toBaseUnit((double) exemplar.value()));
        if (SPAN_ID.matcher(exemplar.spanId()).matches()) {
          bytes(4, HexFormat.of().parseHex(exemplar.spanId()));
        }
        bytes(5, HexFormat.of().parseHex(exemplar.traceId()));
        out.end(message);
      }
    }
  }

  /** A KeyValue with a text. */
  void attribute(int field, String key, String value) {
    int pair = out.begin(field);
    bytes(1, key.getBytes(StandardCharsets.UTF_8));
    int any = out.begin(2);
    bytes(1, value.getBytes(StandardCharsets.UTF_8));
    out.end(any);
    out.end(pair);
  }

  void text(int field, String text) {
    bytes(field, text.getBytes(StandardCharsets.UTF_8));
  }

  private void bytes(int field, byte[] value) {
    out.tag(field, WireReader.BYTES);
    out.sized(value);
  }

  private void fixed(int field, long value) {
    out.tag(field, WireReader.FIXED64);
    out.fixed64(value);
  }

  private void real(int field, double value) {
    fixed(field, Double.doubleToRawLongBits(value));
  }
}
