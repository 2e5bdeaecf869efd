package io.hdrsidecar.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SparseCounts;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The encoder against HdrHistogram's own, byte for byte. */
class HistogramEncoderTest {
  private static final int[] LEVELS = {1, 6, 9, Deflater.DEFAULT_COMPRESSION};
  private final HistogramEncoder encoder = new HistogramEncoder();

  @AfterEach
  void close() {
    encoder.close();
  }

  static Stream<Arguments> digitsAndSeeds() {
    return Stream.of(0, 1, 2, 3, 4, 5)
        .flatMap(digits -> Stream.of(1L, 7L, 42L).map(seed -> Arguments.of(digits, seed)));
  }

  private byte[] encode(Histogram histogram, int level) {
    return RandomHistograms.bytesOf(
        encoder.encode(
            RandomHistograms.countsOf(histogram), histogram.getHighestTrackableValue(), level));
  }

  @ParameterizedTest(name = "digits={0}, seed={1}")
  @MethodSource("digitsAndSeeds")
  void encode_randomCounts_isByteIdenticalToHdrHistogram(int digits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 20; round++) {
      Histogram histogram = RandomHistograms.next(random, digits);
      assertThat(encode(histogram, 0))
          .as("round %d raw", round)
          .isEqualTo(RandomHistograms.rawBytesOf(histogram));
      int level = LEVELS[round % LEVELS.length];
      assertThat(encode(histogram, level))
          .as("round %d level %d", round, level)
          .isEqualTo(RandomHistograms.deflatedBytesOf(histogram, level));
    }
  }

  /** Each power of two crosses, somewhere, from n to n + 1 bytes; the ninth byte has eight bits. */
  @Test
  void encode_countsAndRunsOfEveryMagnitude_isByteIdenticalToHdrHistogram() {
    for (int bits = 1; bits < 63; bits++) {
      for (long count : new long[] {(1L << bits) - 1, 1L << bits, (1L << bits) + 1}) {
        Histogram histogram = new Histogram(1, 1L << 40, 3);
        histogram.recordValueWithCount(1L << (bits * 40 / 63), count);
        assertThat(encode(histogram, 0))
            .as("count %d", count)
            .isEqualTo(RandomHistograms.rawBytesOf(histogram));
      }
    }
  }

  @Test
  void encode_largestCount_takesNineBytes() {
    PagedCounts counts = new PagedCounts(BucketLayout.of(1, 3));
    counts.add(0, Long.MAX_VALUE);
    byte[] encoded = RandomHistograms.bytesOf(encoder.encode(counts, 1L << 40, 0));
    // ZigZag of 2^63 - 1 is 2^64 - 2: eight times seven bits and, in the ninth byte, all eight.
    assertThat(Arrays.copyOfRange(encoded, 40, encoded.length))
        .isEqualTo(new byte[] {-2, -1, -1, -1, -1, -1, -1, -1, -1});
  }

  @Test
  void encode_autoResizedHistogram_isByteIdenticalToHdrHistogram() {
    Histogram histogram = new Histogram(3);
    histogram.recordValue(123_456_789);
    assertThat(encode(histogram, 6)).isEqualTo(RandomHistograms.deflatedBytesOf(histogram, 6));
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void encode_adjacentRanges_addUpToTheWhole(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    try (HistogramDecoder decoder = new HistogramDecoder(1 << 20)) {
      for (int round = 0; round < 30; round++) {
        Histogram histogram = RandomHistograms.next(random, 3);
        PagedCounts counts = RandomHistograms.countsOf(histogram);
        long highest = histogram.getHighestTrackableValue();
        int counters = counts.layout().countersUpTo(highest);
        PagedCounts sum = new PagedCounts(counts.layout());
        for (int from = 0; from < counters; ) {
          int to = Math.min(counters, from + random.nextInt(1, counters));
          byte[] part =
              RandomHistograms.bytesOf(encoder.encode(counts, from, to, highest, round % 2));
          sum.add(decode(decoder, part));
          from = to;
        }
        assertThat(encoder.encode(sum, highest, 0)).isEqualTo(encoderOf(counts, highest));
      }
    }
  }

  private static SparseCounts decode(HistogramDecoder decoder, byte[] part)
      throws MalformedFrameException {
    DecodedHistogram decoded = new DecodedHistogram();
    decoder.decode(part, 0, part.length, decoded);
    return decoded.counts();
  }

  private static ByteBuffer encoderOf(PagedCounts counts, long highest) {
    try (HistogramEncoder other = new HistogramEncoder()) {
      return other.encode(counts, highest, 0);
    }
  }

  @Test
  void encode_afterALevelThatDoesNotExist_stillWorks() {
    Histogram histogram = new Histogram(1, 1000, 2);
    histogram.recordValue(77);
    assertThatThrownBy(() -> encode(histogram, 57)).isInstanceOf(IllegalArgumentException.class);
    assertThat(encode(histogram, 1)).isEqualTo(RandomHistograms.deflatedBytesOf(histogram, 1));
  }

  @Test
  void encode_negativeCount_isRefusedAndNotWrittenAsEmptyBuckets() {
    SparseCounts negative = new SparseCounts();
    negative.visit(3, -1);
    assertThatThrownBy(() -> encoder.encode(negative, BucketLayout.of(1, 3), 1000, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("negative count -1 in bucket 3");
  }
}
