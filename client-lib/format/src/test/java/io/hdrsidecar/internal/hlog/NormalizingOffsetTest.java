package io.hdrsidecar.internal.hlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Histograms whose header has a normalizing index offset or a ratio, which other ports write and
 * Java has after {@code shiftValuesLeft}: read from logs as HdrHistogram's own reader reads them,
 * refused on the wire.
 */
class NormalizingOffsetTest {
  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final int MAX_COUNTERS = 1 << 20;
  private static final int OFFSET_AT = 8;
  private static final int RATIO_AT = 32;

  @ParameterizedTest(name = "{index} seed {0}")
  @ValueSource(longs = {1, 7, 42, 1974})
  void next_afterShiftValuesLeft_readsWhatHdrHistogramReads(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 50; round++) {
      Histogram histogram = new Histogram(1L << random.nextInt(8), HOUR_NANOS, random.nextInt(5));
      histogram.setAutoResize(random.nextBoolean());
      record(histogram, random, 1L << random.nextInt(1, 20));
      histogram.shiftValuesLeft(random.nextInt(1, 10));
      record(histogram, random, 1L << random.nextInt(1, 30));

      assertReadsAsHdrHistogramDoes(log(histogram), bucketsOf(histogram));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1.0", "1, 4.9E-324", "0, 4.9E-324", "-3, 1.0", "2048, 2.0"})
  void next_withAnyOffsetAndRatio_readsTheCountsInTheirOrder(int offset, double ratio)
      throws Exception {
    Histogram histogram = new Histogram(1, HOUR_NANOS, 3);
    record(histogram, new SplittableRandom(3), 1L << 30);
    byte[] payload = payload(histogram, offset, ratio);
    String line = "1.0,1.0,1.0," + Base64.getEncoder().encodeToString(payload) + "\n";

    assertThat(bucketsOf(Histogram.decodeFromByteBuffer(ByteBuffer.wrap(payload), 0)))
        .isEqualTo(bucketsOf(histogram));
    assertThat(read(line.getBytes(StandardCharsets.US_ASCII))).isEqualTo(bucketsOf(histogram));
  }

  @ParameterizedTest
  @CsvSource({"1, 1.0", "0, 4.9E-324"})
  void decode_onTheWire_refusesOffsetAndRatio(int offset, double ratio) {
    Histogram histogram = new Histogram(1, HOUR_NANOS, 3);
    histogram.recordValue(7);
    byte[] payload = payload(histogram, offset, ratio);
    try (HistogramDecoder decoder = new HistogramDecoder(MAX_COUNTERS)) {
      assertThat(
              catchThrowableOfType(
                  MalformedFrameException.class,
                  () -> decoder.decode(payload, 0, payload.length, new DecodedHistogram())))
          .hasMessageContaining("not shifted");
    }
  }

  @Test
  void next_onALogOfHdrHistogramJs_readsItsValues() throws Exception {
    try (InputStream in =
        NormalizingOffsetTest.class.getResourceAsStream("/hlog/hdr-histogram-js-3.0.1.hlog")) {
      byte[] log = Objects.requireNonNull(in).readAllBytes();
      Histogram recorded = new Histogram(1, HOUR_NANOS, 3);
      for (long value : new long[] {0, 1, 1000, 123_456, 123_456, 7_000_000_000L}) {
        recorded.recordValue(value);
      }
      assertReadsAsHdrHistogramDoes(log, bucketsOf(recorded));
    }
  }

  private static void assertReadsAsHdrHistogramDoes(byte[] log, Map<Long, Long> recorded)
      throws Exception {
    try (HistogramLogReader reader = new HistogramLogReader(new ByteArrayInputStream(log))) {
      assertThat(bucketsOf((Histogram) Objects.requireNonNull(reader.nextIntervalHistogram())))
          .isEqualTo(recorded);
    }
    assertThat(read(log)).isEqualTo(recorded);
  }

  private static void record(Histogram histogram, SplittableRandom random, long bound) {
    for (int i = 0; i < 100; i++) {
      histogram.recordValue(random.nextLong(bound));
    }
  }

  private static byte[] log(Histogram histogram) {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    HistogramLogWriter writer = new HistogramLogWriter(log);
    writer.outputIntervalHistogram(1, 2, histogram);
    writer.close();
    return log.toByteArray();
  }

  /** What HdrHistogram writes, with another offset and ratio in its header. */
  private static byte[] payload(Histogram histogram, int offset, double ratio) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    byte[] payload = new byte[histogram.encodeIntoByteBuffer(bytes)];
    bytes.putInt(OFFSET_AT, offset).putDouble(RATIO_AT, ratio).get(0, payload);
    return payload;
  }

  /** Highest value of each bucket in use; count. */
  private static Map<Long, Long> bucketsOf(Histogram histogram) {
    Map<Long, Long> buckets = new TreeMap<>();
    for (HistogramIterationValue value : histogram.recordedValues()) {
      buckets.put(
          histogram.highestEquivalentValue(value.getValueIteratedTo()),
          value.getCountAtValueIteratedTo());
    }
    return buckets;
  }

  private static Map<Long, Long> read(byte[] log) throws Exception {
    Map<Long, Long> buckets = new TreeMap<>();
    IntervalLogLine interval = new IntervalLogLine();
    try (IntervalLogReader reader =
        new IntervalLogReader(new ByteArrayInputStream(log), 1 << 20, MAX_COUNTERS)) {
      assertThat(reader.next(interval)).isTrue();
    }
    DecodedHistogram histogram = interval.histogram();
    for (int i = 0; i < histogram.counts().size(); i++) {
      buckets.put(
          histogram.layout().highestValueAt(histogram.counts().indexAt(i)),
          histogram.counts().countAt(i));
    }
    return buckets;
  }
}
