package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.testing.PowersOfTwo;
import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Base-2 buckets, against the formula of OpenTelemetry in decimal. */
class Base2LayoutTest {
  private static final long NANOS = 1_000_000_000;

  static Stream<Arguments> scalesAndUnits() {
    return IntStream.rangeClosed(-10, 20)
        .boxed()
        .flatMap(
            scale ->
                LongStream.of(1, 1000, 1_000_000, NANOS).mapToObj(per -> Arguments.of(scale, per)));
  }

  @ParameterizedTest(name = "scale {0}, {1} a unit")
  @MethodSource("scalesAndUnits")
  void bucket_ofAnyValue_isThatOfItsSender(int scale, long perUnit) {
    BucketLayout layout = BucketLayout.base2(scale, perUnit);
    PowersOfTwo formula = new PowersOfTwo(scale, perUnit);
    SplittableRandom random = new SplittableRandom(scale * 31L + perUnit);
    for (int i = 0; i < 60; i++) {
      long value = random.nextLong() >>> (1 + random.nextInt(62)) | 1;
      assertBucket(layout, formula, value);
    }
    for (long value : new long[] {1, 2, 3, Long.MAX_VALUE - 1, Long.MAX_VALUE, perUnit}) {
      assertBucket(layout, formula, value);
    }
  }

  private static void assertBucket(BucketLayout layout, PowersOfTwo formula, long value) {
    int theirs = formula.indexOf(value);

    int index = layout.indexOf(value);

    assertThat(layout.base2IndexOf(theirs)).as("%s of %s", theirs, layout).isEqualTo(index);
    assertThat(layout.lowestValueAt(index))
        .as("lowest of %s", value)
        .isEqualTo(formula.floor(theirs) + 1);
    assertThat(layout.highestValueAt(index))
        .as("highest of %s", value)
        .isEqualTo(formula.floor(theirs + 1L));
    assertThat(layout.widthAt(index))
        .isEqualTo(Math.min(Long.MAX_VALUE, formula.floor(theirs + 1L) - formula.floor(theirs)));
    assertThat(layout.medianValueAt(index))
        .isBetween(layout.lowestValueAt(index), layout.highestValueAt(index));
  }

  @ParameterizedTest(name = "scale {0}")
  @ValueSource(ints = {0, 1, 3, 5})
  void edge_ofAnyBucket_isTheLargestNumberBelowTheRoot(int scale) {
    BucketLayout layout = BucketLayout.base2(scale, 1000);
    int power = 1 << scale;
    for (int theirs = -9 * power; theirs < 53 * power; theirs++) {
      long edge = layout.highestValueAt(layout.base2IndexOf(theirs));
      long floor = new PowersOfTwo(scale, 1000).floor(theirs + 1L);
      if (edge == floor) { // Else the bucket holds no whole number, and the next one is meant.
        BigInteger limit = BigInteger.valueOf(1000).pow(power).shiftLeft(theirs + 1 + 9 * power);
        BigInteger shift = BigInteger.ONE.shiftLeft(9 * power);
        assertThat(BigInteger.valueOf(edge).pow(power).multiply(shift)).isLessThanOrEqualTo(limit);
        assertThat(BigInteger.valueOf(edge + 1).pow(power).multiply(shift)).isGreaterThan(limit);
      } else {
        assertThat(edge).isEqualTo(floor + 1);
      }
    }
  }

  @ParameterizedTest(name = "scale {0}")
  @ValueSource(ints = {-10, -3, 0, 3, 8, 20})
  void powerOfTwo_isTheLastValueOfItsBucket(int scale) {
    BucketLayout layout = BucketLayout.base2(scale, 1);
    int step = scale >= 0 ? 1 : 1 << -scale; // exponents on an edge
    for (int exponent = 0; exponent < 63; exponent += Math.min(step, 63)) {
      long edge = 1L << exponent;
      int theirs = (scale >= 0 ? exponent << scale : exponent >> -scale) - 1;
      assertThat(layout.indexOf(edge)).isEqualTo(layout.base2IndexOf(theirs));
      assertThat(layout.highestValueAt(layout.indexOf(edge))).isEqualTo(edge);
      assertThat(layout.lowestValueAt(layout.indexOf(edge + 1))).isEqualTo(edge + 1);
    }
  }

  @ParameterizedTest(name = "scale {0}")
  @CsvSource({"3, 0.0906", "0, 1", "8, 0.00272", "1, 0.4143", "-1, 3"})
  void upperEdge_ofAnyValue_isHighByNoMoreThanTheScaleSays(int scale, double bound) {
    BucketLayout layout = BucketLayout.base2(scale, NANOS);
    SplittableRandom random = new SplittableRandom(scale);
    for (int i = 0; i < 10_000; i++) {
      long value = random.nextLong() >>> (1 + random.nextInt(40));
      double high = layout.highestValueAt(layout.indexOf(value));
      assertThat(high / value - 1).isBetween(0.0, bound);
    }
  }

  @Test
  void middle_ofScale3_isOffBy4_4PercentAtMost() {
    BucketLayout layout = BucketLayout.base2(3, NANOS);
    for (int theirs = 0; theirs < 200; theirs++) {
      int index = layout.base2IndexOf(theirs);
      double middle = layout.medianValueAt(index);
      assertThat(middle / layout.lowestValueAt(index) - 1).isLessThan(0.0443);
      assertThat(layout.highestValueAt(index) / middle - 1).isLessThan(0.0443);
    }
  }

  @Test
  void base2IndexOf_outsideOfAllNumbers_isTheNearestBucket() {
    BucketLayout layout = BucketLayout.base2(3, NANOS);

    assertThat(layout.base2IndexOf(Integer.MIN_VALUE)).isEqualTo(layout.indexOf(1));
    assertThat(layout.base2IndexOf(Integer.MAX_VALUE)).isEqualTo(layout.indexOf(Long.MAX_VALUE));
    assertThat(layout.indexOf(0)).isZero();
    assertThat(layout.highestValueAt(0)).isZero();
  }

  @Test
  void layouts_withEqualSettings_areEqualAndReadFromTheirText() {
    for (BucketLayout layout :
        new BucketLayout[] {
          BucketLayout.base2(-10, 1), BucketLayout.base2(20, NANOS),
          BucketLayout.explicit(new long[] {0, 5, 1000}), BucketLayout.explicit(new long[0])
        }) {
      assertThat(BucketLayout.parse(layout.toString()))
          .isEqualTo(layout)
          .hasSameHashCodeAs(layout)
          .hasToString(layout.toString());
    }
    assertThat(BucketLayout.base2(3, NANOS))
        .hasToString("base2:scale=3,per=1000000000")
        .isNotEqualTo(BucketLayout.base2(3, 1))
        .isNotEqualTo(BucketLayout.base2(2, NANOS))
        .isNotEqualTo(BucketLayout.of(1, 3));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "",
        "lowest=1,digits=3",
        "base2:",
        "base2:scale=21,per=1",
        "base2:scale=-11,per=1",
        "base2:scale=3,per=0",
        "base2:scale=3,per=1099511627777",
        "explicit:5,5",
        "explicit:-1",
        "explicit:1,",
        "explicit:9223372036854775807",
        "explicit:x"
      })
  void parse_ofAnythingElse_saysSo(String text) {
    assertThatThrownBy(() -> BucketLayout.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatOnlyHdrHistogramHas_isRefused() {
    BucketLayout layout = BucketLayout.base2(3, 1);

    assertThatThrownBy(layout::lowestDiscernibleValue)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("base2:scale=3,per=1");
    assertThatThrownBy(layout::significantDigits).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> BucketLayout.of(1, 3).base2IndexOf(0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void explicitBuckets_holdTheirUpperBounds() {
    BucketLayout layout = BucketLayout.explicit(new long[] {0, 5, 10});

    long[] values = {0, 1, 5, 6, 10, 11, Long.MAX_VALUE};
    int[] indexes = {0, 1, 1, 2, 2, 3, 3};
    for (int i = 0; i < values.length; i++) {
      assertThat(layout.indexOf(values[i])).as("%s", values[i]).isEqualTo(indexes[i]);
      assertThat(values[i])
          .isBetween(layout.lowestValueAt(indexes[i]), layout.highestValueAt(indexes[i]));
    }
    assertThat(layout.highestValueAt(3)).isEqualTo(Long.MAX_VALUE);
    assertThat(layout.lowestValueAt(3)).isEqualTo(11);
    assertThat(layout.countersUpTo(Long.MAX_VALUE)).isEqualTo(4);
    assertThat(layout.isOpen()).isTrue();
    BucketLayout one = BucketLayout.explicit(new long[0]);
    assertThat(one.indexOf(7)).isZero();
    assertThat(one.widthAt(0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void countersOfAFineScale_areNotTakenWithoutNeed() {
    BucketLayout layout = BucketLayout.base2(20, NANOS);
    PagedCounts counts = new PagedCounts(layout);

    counts.add(layout.indexOf(NANOS), 1);
    counts.add(layout.indexOf(NANOS + 1000), 1);

    assertThat(layout.countersUpTo(Long.MAX_VALUE)).isGreaterThan(60_000_000);
    assertThat(counts.allocatedBytes()).isLessThan(2000);
  }
}
