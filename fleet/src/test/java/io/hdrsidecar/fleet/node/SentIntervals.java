package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.InstanceHeader;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Intervals as a gateway produces them, and the truth about them: HdrHistogram counts the raw
 * values of each series, and encodes the payloads.
 */
final class SentIntervals {
  static final long HIGHEST = 3_600_000_000_000L;
  private static final int FRAME_HEADER_BYTES = 8;
  private static final int FRAME_TRAILER_BYTES = 4;

  private final FrameEncoder encoder = new FrameEncoder();
  private final Map<FleetSeries, Histogram> truth = new TreeMap<>(BY_NAME);
  private final Map<FleetSeries, BigInteger> sums = new TreeMap<>(BY_NAME);

  private static final Comparator<FleetSeries> BY_NAME =
      Comparator.comparing(series -> series.key().toString());

  static FleetSeries series(String name, String... labels) {
    return new FleetSeries(Unit.NANOSECONDS, new SeriesKey(name, Labels.of(labels)));
  }

  static Headers of(InstanceId instance) {
    RecordHeaders headers = new RecordHeaders();
    InstanceHeader.write(instance, headers);
    return headers;
  }

  /** The value of a record; the values count as sent. */
  byte[] value(FleetSeries series, long number, long startMillis, long endMillis, long... values) {
    byte[] body = body(number, startMillis, endMillis, values);
    Histogram all = truth.computeIfAbsent(series, s -> new Histogram(1, HIGHEST, 3));
    for (long value : values) {
      all.recordValue(value);
    }
    sums.merge(series, BigInteger.valueOf(Arrays.stream(values).sum()), BigInteger::add);
    return body;
  }

  /** The same of values that do not count. */
  byte[] body(long number, long startMillis, long endMillis, long... values) {
    Histogram interval = new Histogram(1, HIGHEST, 3);
    Arrays.stream(values).forEach(interval::recordValue);
    return body(number, startMillis, endMillis, interval, values);
  }

  /** The same, counted by that. */
  byte[] body(long number, long startMillis, long endMillis, Histogram interval, long... values) {
    ByteBuffer payload = ByteBuffer.allocate(interval.getNeededByteBufferCapacity());
    interval.encodeIntoByteBuffer(payload);
    payload.flip();
    ExactSum sum = new ExactSum();
    Arrays.stream(values).forEach(sum::add);
    SumMinMax sumMinMax = new SumMinMax();
    sumMinMax.set(
        sum, true, Arrays.stream(values).min().orElse(0), Arrays.stream(values).max().orElse(0));
    encoder.interval(
        number, 7, new IntervalHeader(startMillis, endMillis, values.length, sumMinMax), payload);
    byte[] frame = encoder.take();
    return Arrays.copyOfRange(frame, FRAME_HEADER_BYTES, frame.length - FRAME_TRAILER_BYTES);
  }

  /** What all values of a series that were sent come to, bucket by bucket. */
  Map<Long, Long> buckets(FleetSeries series) {
    return buckets(truth.getOrDefault(series, new Histogram(1, HIGHEST, 3)));
  }

  /** How many there are of all series. */
  long values() {
    return truth.values().stream().mapToLong(Histogram::getTotalCount).sum();
  }

  /** Series that have values. */
  Iterable<FleetSeries> all() {
    return truth.keySet();
  }

  BigInteger sum(FleetSeries series) {
    return sums.getOrDefault(series, BigInteger.ZERO);
  }

  static Map<Long, Long> buckets(Histogram histogram) {
    Map<Long, Long> buckets = new TreeMap<>();
    for (HistogramIterationValue value : histogram.recordedValues()) {
      buckets.put(value.getValueIteratedTo(), value.getCountAddedInThisIterationStep());
    }
    return buckets;
  }

  /** Of a body with one value in one bucket: as if it had come so often. */
  static byte[] withCount(byte[] body, long count) {
    ByteBuffer.wrap(body).putLong(28, count);
    return body;
  }
}
