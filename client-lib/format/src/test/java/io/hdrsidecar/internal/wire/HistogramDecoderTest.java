package io.hdrsidecar.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SumMinMax;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The decoder against HdrHistogram's own, on its encodings of three versions. */
class HistogramDecoderTest {
  private static final SumMinMax ONE = SumMinMax.of(0, 1, true, 1, 1);
  private static final int MAX_COUNTERS = 1 << 23;
  private final HistogramDecoder decoder = new HistogramDecoder(MAX_COUNTERS);
  private final DecodedHistogram decoded = new DecodedHistogram();

  @AfterEach
  void close() {
    decoder.close();
  }

  static Stream<Arguments> digitsAndSeeds() {
    return HistogramEncoderTest.digitsAndSeeds();
  }

  /** Decodes from the middle of an array, as payloads lie in a receive buffer. */
  private void decode(byte[] payload) throws MalformedFrameException {
    byte[] source = new byte[payload.length + 11];
    System.arraycopy(payload, 0, source, 7, payload.length);
    decoder.decode(source, 7, payload.length, decoded);
  }

  private void assertDecodesTo(Histogram expected, byte[] payload) throws MalformedFrameException {
    decode(payload);
    assertThat(decoded.layout()).isEqualTo(RandomHistograms.layoutOf(expected));
    assertThat(decoded.highestTrackableValue()).isEqualTo(expected.getHighestTrackableValue());
    assertThat(RandomHistograms.bucketsOf(decoded)).isEqualTo(RandomHistograms.bucketsOf(expected));
    assertThat(decoded.counts().total()).isEqualTo(expected.getTotalCount());
    if (expected.getTotalCount() > 0) {
      assertThat(decoded.highestValue())
          .isEqualTo(expected.highestEquivalentValue(expected.getMaxValue()));
      assertThat(decoded.lowestValue())
          .isEqualTo(expected.lowestEquivalentValue(expected.getMinValue()));
    }
  }

  @ParameterizedTest(name = "digits={0}, seed={1}")
  @MethodSource("digitsAndSeeds")
  void decode_randomHistograms_findsTheBucketsThatWereEncoded(int digits, long seed)
      throws MalformedFrameException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 20; round++) {
      Histogram histogram = RandomHistograms.next(random, digits);
      assertDecodesTo(histogram, RandomHistograms.rawBytesOf(histogram));
      assertDecodesTo(histogram, RandomHistograms.deflatedBytesOf(histogram, 6));
    }
  }

  private static List<byte[]> payloadsOf(String log) throws IOException {
    List<byte[]> payloads = new ArrayList<>();
    try (InputStream in = HistogramDecoderTest.class.getResourceAsStream("/hlog/" + log)) {
      assertThat(in).as(log).isNotNull();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.substring(line.lastIndexOf(',') + 1))
          .filter(last -> last.startsWith("HIST"))
          .forEach(base64 -> payloads.add(Base64.getDecoder().decode(base64)));
    }
    return payloads;
  }

  /** Totals as HdrHistogram's HistogramLogProcessor gives them. */
  @ParameterizedTest
  @CsvSource({
    "jHiccup-2.0.1.logV0.hlog, 81, 61256",
    "jHiccup-2.0.6.logV1.hlog, 88, 65964",
    "jHiccup-2.0.7S.logV2.hlog, 62, 48761",
    "jHiccup-2.0.7S.logV3.hlog, 62, 48761",
    "tagged-Log.logV2.hlog, 42, 32290",
    "ycsb.logV1.hlog, 602, 300056"
  })
  void decode_logsOfEveryVersion_equalsHdrHistogramsDecoder(String log, int lines, long total)
      throws Exception {
    List<byte[]> payloads = payloadsOf(log);
    long counted = 0;
    for (byte[] payload : payloads) {
      Histogram expected = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(payload), 0);
      assertDecodesTo(expected, payload);
      counted += decoded.counts().total();
    }
    assertThat(counted).isEqualTo(total);
    assertThat(payloads).hasSize(lines);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "6"})
  void decode_andAdd_afterWarmUpAllocatesNothing(int level) throws MalformedFrameException {
    Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
    new SplittableRandom(1).longs(20_000, 100_000, 10_000_000).forEach(histogram::recordValue);
    byte[] payload =
        level == 0
            ? RandomHistograms.rawBytesOf(histogram)
            : RandomHistograms.deflatedBytesOf(histogram, level);
    Accumulation sums = new Accumulation(RandomHistograms.layoutOf(histogram));
    int highest = sums.counts().layout().indexOf(histogram.getMaxValue());
    sums.counts().reserve(0, highest + 1); // pages as wide as they become with time
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE; // The JVM has odd allocations of its own, but not each time.
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      decodeAndAdd(payload, sums, 500);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).isZero();
  }

  private void decodeAndAdd(byte[] payload, Accumulation sums, int times)
      throws MalformedFrameException {
    for (int i = 0; i < times; i++) {
      decoder.decode(payload, 0, payload.length, decoded);
      sums.add(decoded.counts(), ONE);
    }
  }

  @Test
  void decode_threeVersionsOfOneHistogramInTurn_reusesTheResult() throws Exception {
    Histogram small = new Histogram(1, 1000, 1);
    small.recordValue(5);
    Histogram large = new Histogram(1, 1L << 40, 3);
    large.recordValueWithCount(1L << 39, 9);
    for (Histogram histogram : List.of(large, small, new Histogram(2), large)) {
      assertDecodesTo(histogram, RandomHistograms.rawBytesOf(histogram));
    }
  }

  /** As HdrHistogram's own decoder has it, which runs out of bytes in the header. */
  @Test
  void decode_cookieOutsideSaysAShorterHeaderThanThereIsInside_isRefused() {
    Histogram histogram = new Histogram(1, 1000, 1);
    histogram.recordValue(5);
    ByteBuffer payload = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity() + 100);
    histogram.encodeIntoCompressedByteBuffer(payload);
    byte[] bytes = Arrays.copyOf(payload.array(), payload.position());
    ByteBuffer.wrap(bytes).putInt(0, HistogramEncoding.V0_COMPRESSED);

    assertThatThrownBy(() -> Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0))
        .isInstanceOf(BufferUnderflowException.class);
    assertThatThrownBy(() -> decode(bytes))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("another version than 1c849309");
  }
}
