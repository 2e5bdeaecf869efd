package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.ShortCountsHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The layout against HdrHistogram itself, which computes magnitudes through floating point. */
class BucketLayoutTest {
  private static final int HEADER_BYTES = 40;
  private static final int BYTES_PER_COUNTER = 9;
  private static final long FAR = 1L << 62;

  static IntStream digits() {
    return IntStream.rangeClosed(0, BucketLayout.MAX_SIGNIFICANT_DIGITS);
  }

  private static List<Long> lowestValues() {
    List<Long> values = new ArrayList<>(List.of(1L, 2L, 3L, 7L, 10L, 1000L, 20_000L, 999_999_999L));
    for (int k = 2; k < 63; k++) {
      values.addAll(List.of((1L << k) - 1, 1L << k, (1L << k) + 1));
    }
    return values;
  }

  /** HdrHistogram's histogram of these settings, unless it refuses them. */
  private static Optional<AbstractHistogram> peer(long lowest, long highest, int digits) {
    try {
      return Optional.of(new ShortCountsHistogram(lowest, highest, digits));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static int countersOf(AbstractHistogram histogram) {
    return (histogram.getNeededByteBufferCapacity() - HEADER_BYTES) / BYTES_PER_COUNTER;
  }

  @ParameterizedTest(name = "digits={0}")
  @MethodSource("digits")
  void bucketOfAValue_anyLowestValue_hasTheEdgesOfHdrHistogram(int digits) {
    SplittableRandom random = new SplittableRandom(digits);
    for (long lowest : lowestValues()) {
      Optional<AbstractHistogram> peer = peer(lowest, FAR, digits);
      if (peer.isPresent()) {
        BucketLayout layout = BucketLayout.of(lowest, digits);
        for (long value : valuesAround(lowest, random)) {
          assertEdges(layout, peer.get(), value);
        }
      }
    }
  }

  private static void assertEdges(BucketLayout layout, AbstractHistogram peer, long value) {
    int index = layout.indexOf(value);
    assertThat(
            List.of(
                layout.lowestValueAt(index),
                layout.highestValueAt(index),
                layout.medianValueAt(index),
                layout.widthAt(index)))
        .as("%s value=%d", layout, value)
        .containsExactly(
            peer.lowestEquivalentValue(value),
            peer.highestEquivalentValue(value),
            peer.medianEquivalentValue(value),
            peer.sizeOfEquivalentValueRange(value));
  }

  private static List<Long> valuesAround(long lowest, SplittableRandom random) {
    List<Long> values = new ArrayList<>(List.of(0L, 1L, lowest - 1, lowest, FAR - 1, FAR));
    values.add(Long.MAX_VALUE);
    for (int bits = 1; bits < 63; bits++) {
      values.add(1L << bits);
      values.add((1L << bits) - 1);
      values.add(random.nextLong(1L << bits));
    }
    return values;
  }

  /**
   * Bucket 0 starts at 0, and each bucket starts where HdrHistogram says the one before ends: so
   * indexes are ordinal numbers of buckets, which is what positions in its array are.
   */
  @ParameterizedTest(name = "lowest={0}, digits={1}")
  @CsvSource({"1,0", "1,1", "1,2", "1,3", "3,3", "1000,3", "20000,2", "1,4", "1024,4", "4096,5"})
  void indexes_fromZeroToTheEnd_numberTheBucketsOfHdrHistogram(long lowest, int digits) {
    BucketLayout layout = BucketLayout.of(lowest, digits);
    AbstractHistogram peer = peer(lowest, FAR, digits).orElseThrow();
    assertThat(layout.lowestValueAt(0)).isZero();
    int counters = layout.countersUpTo(FAR);
    for (int index = 0; index < counters - 1; index++) {
      long next = layout.lowestValueAt(index + 1);
      if (next != peer.nextNonEquivalentValue(layout.lowestValueAt(index))
          || layout.indexOf(next) != index + 1
          || layout.indexOf(next - 1) != index) {
        throw new AssertionError(layout + " index=" + index + " next=" + next);
      }
    }
    assertThat(layout.highestValueAt(counters - 1)).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest(name = "digits={0}")
  @MethodSource("digits")
  void countersUpTo_anyRange_isTheLengthOfHdrHistogramsArray(int digits) {
    for (long lowest : List.of(1L, 2L, 3L, 7L, 1000L, 20_000L, (1L << 31) - 1, (1L << 52) - 1)) {
      for (int bits = 1; bits <= 62; bits++) {
        for (long highest : List.of((1L << bits) - 1, 1L << bits, (1L << bits) + 1)) {
          peer(lowest, highest, digits)
              .ifPresentOrElse(
                  peer ->
                      assertThat(BucketLayout.of(lowest, digits).countersUpTo(highest))
                          .as("lowest=%d highest=%d digits=%d", lowest, highest, digits)
                          .isEqualTo(countersOf(peer)),
                  () -> assertRefused(lowest, highest, digits));
        }
      }
    }
  }

  private static void assertRefused(long lowest, long highest, int digits) {
    assertThatThrownBy(() -> BucketLayout.of(lowest, digits).countersUpTo(highest))
        .as("lowest=%d highest=%d digits=%d", lowest, highest, digits)
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void of_settingsThatNeedMoreThan62Bits_isRefusedExactlyWhereHdrHistogramRefuses() {
    for (int digits = 0; digits <= BucketLayout.MAX_SIGNIFICANT_DIGITS; digits++) {
      for (long lowest : lowestValues()) {
        if (peer(lowest, Long.MAX_VALUE, digits).isEmpty()) {
          assertRefused(lowest, Long.MAX_VALUE, digits);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 6, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void of_digitsOutsideZeroToFive_saysWhichWereExpected(int digits) {
    assertThatThrownBy(() -> BucketLayout.of(1, digits))
        .hasMessage("significant digits must be 0..5: " + digits);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void of_lowestValueBelowOne_isRefused(long lowest) {
    assertThatThrownBy(() -> BucketLayout.of(lowest, 3))
        .hasMessage("lowest discernible value must be at least 1: " + lowest);
  }

  @Test
  void equals_sameSettings_isTrueAndOtherSettingsFalse() {
    assertThat(BucketLayout.of(1000, 3))
        .isEqualTo(BucketLayout.of(1000, 3))
        .hasSameHashCodeAs(BucketLayout.of(1000, 3))
        .isNotEqualTo(BucketLayout.of(1001, 3))
        .isNotEqualTo(BucketLayout.of(1000, 2))
        .hasToString("lowest=1000,digits=3");
  }
}
