package io.hdrsidecar.sidecar.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SumMinMax;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistributionTest {
  private static final double[] PERCENTILES = {
    0, 1e-9, 1, 25, 50, 50.000001, 75, 90, 99, 99.9, 99.99, 99.999, 99.99999, 100
  };

  @ParameterizedTest(name = "lowest={0} digits={1} seed={2}")
  @CsvSource({"1,3,1", "1,0,2", "1000,2,3", "20000,2,4", "3,5,5"})
  void toHistogram_ofOneLayout_equalsTheHistogramRecordedInto(long lowest, int digits, long seed) {
    long[] values = values(seed, 20_000);
    Histogram expected = new Histogram(lowest, 2 * lowest, digits);
    expected.setAutoResize(true);
    Arrays.stream(values).forEach(expected::recordValue);

    Distribution distribution = new Distribution();
    addTo(distribution, recorded(lowest, digits, values));

    assertThat(distribution.toHistogram()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "lowest={0} digits={1} seed={2}")
  @CsvSource({"1,3,1", "1,0,2", "1000,2,3", "20000,2,4", "3,5,5"})
  void valueAtPercentile_ofOneLayout_equalsHdrHistogram(long lowest, int digits, long seed) {
    long[] values = values(seed, 777);
    Histogram expected = new Histogram(lowest, 2 * lowest, digits);
    expected.setAutoResize(true);
    Arrays.stream(values).forEach(expected::recordValue);
    Distribution distribution = new Distribution();
    addTo(distribution, recorded(lowest, digits, values));

    for (int i = 0; i < PERCENTILES.length; i++) {
      long value = expected.getValueAtPercentile(PERCENTILES[i]);
      assertThat(distribution.valueAtPercentile(PERCENTILES[i])).isEqualTo(value);
    }
  }

  @Test
  void add_ofSeveralParts_keepsExactFigures() {
    long[] first = values(11, 1_000);
    long[] second = values(12, 2_000);
    Distribution distribution = new Distribution();

    addTo(distribution, recorded(1, 3, first));
    addTo(distribution, recorded(1000, 2, second));

    long[] all = concat(first, second);
    assertThat(distribution.count()).isEqualTo(3_000);
    assertThat(distribution.sum().toBigInteger().longValueExact())
        .isEqualTo(Arrays.stream(all).sum());
    assertThat(distribution.min()).isEqualTo(Arrays.stream(all).min().orElseThrow());
    assertThat(distribution.max()).isEqualTo(Arrays.stream(all).max().orElseThrow());
    assertThat(distribution.sumIsExact()).isTrue();
  }

  @Test
  void add_ofTwoLayouts_keepsEachBucketAtItsOwnHighestValue() {
    Distribution distribution = new Distribution();

    addTo(distribution, recorded(1, 3, 330_000, 330_001));
    addTo(distribution, recorded(20_000, 2, 330_000));

    long fine = new Histogram(1, 1_000_000, 3).highestEquivalentValue(330_000);
    long coarse = new Histogram(20_000, 100_000_000, 2).highestEquivalentValue(330_000);
    assertThat(distribution.size()).isEqualTo(2);
    assertThat(distribution.highestAt(0)).isEqualTo(fine);
    assertThat(distribution.countAt(0)).isEqualTo(2);
    assertThat(distribution.highestAt(1)).isEqualTo(coarse);
    assertThat(distribution.valueAtPercentile(100)).isEqualTo(coarse);
    Histogram joined = distribution.toHistogram();
    assertThat(joined.getCountAtValue(coarse)).isEqualTo(1);
    assertThat(joined.getLowestDiscernibleValue()).isEqualTo(1);
    assertThat(joined.getNumberOfSignificantValueDigits()).isEqualTo(3);
  }

  @ParameterizedTest(name = "seed={0}")
  @CsvSource({"1", "7", "42"})
  void add_ofPartsInAnyOrder_givesTheSameBuckets(long seed) {
    Accumulation a = recorded(1, 3, values(seed, 3_000));
    Accumulation b = recorded(1000, 2, values(seed + 1, 3_000));
    Accumulation c = recorded(1, 3, values(seed + 2, 3_000));
    Distribution abc = new Distribution();
    Distribution cba = new Distribution();
    Distribution ofDistributions = new Distribution();

    addTo(abc, a);
    addTo(abc, b);
    addTo(abc, c);
    addTo(cba, c);
    addTo(cba, b);
    addTo(cba, a);
    Distribution single = new Distribution();
    addTo(single, b);
    ofDistributions.add(single);
    single.clear();
    addTo(single, a);
    addTo(single, c);
    ofDistributions.add(single);

    assertThat(buckets(cba)).isEqualTo(buckets(abc));
    assertThat(buckets(ofDistributions)).isEqualTo(buckets(abc));
    assertThat(ofDistributions.sum()).isEqualTo(abc.sum());
  }

  @Test
  void clear_afterUse_leavesNothing() {
    Distribution distribution = new Distribution();
    addTo(distribution, recorded(1, 3, values(5, 100)));

    distribution.clear();

    assertThat(distribution.count()).isZero();
    assertThat(distribution.size()).isZero();
    assertThat(distribution.valueAtPercentile(99)).isZero();
    assertThat(distribution.toHistogram().getTotalCount()).isZero();
    assertThat(distribution.sumIsExact()).isTrue();
  }

  @Test
  void sumIsExact_withOneEstimatedPart_isFalse() {
    Distribution distribution = new Distribution();
    addTo(distribution, recorded(1, 3, 5));
    Accumulation estimated = recorded(1, 3, 7);

    distribution.add(
        estimated.counts(),
        SumMinMax.of(estimated.sum().high(), estimated.sum().low(), false, 7, 7));

    assertThat(distribution.sumIsExact()).isFalse();
  }

  @Test
  void toHistogram_withMoreCountsThanALong_isRefused() {
    Accumulation huge = new Accumulation(BucketLayout.of(1, 3));
    huge.counts().add(5, Long.MAX_VALUE - 1);
    Distribution distribution = new Distribution();
    addTo(distribution, huge);
    addTo(distribution, huge);

    assertThat(distribution.count()).isEqualTo(Long.MAX_VALUE);
    assertThat(distribution.valueAtPercentile(50)).isEqualTo(5);
    Accumulation other = recorded(1, 3, 9);
    addTo(distribution, other);
    assertThatThrownBy(distribution::toHistogram).isInstanceOf(ArithmeticException.class);
  }

  private static Accumulation recorded(long lowest, int digits, long... values) {
    Accumulation accumulation = new Accumulation(BucketLayout.of(lowest, digits));
    for (long value : values) {
      accumulation.counts().add(accumulation.counts().layout().indexOf(value), 1);
      accumulation.sum().add(value);
      accumulation.widen(value, value);
    }
    return accumulation;
  }

  private static void addTo(Distribution distribution, Accumulation part) {
    distribution.add(part.counts(), part.sumMinMax());
  }

  private static String buckets(Distribution distribution) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < distribution.size(); i++) {
      text.append(distribution.lowestAt(i))
          .append("..")
          .append(distribution.highestAt(i))
          .append(": ")
          .append(distribution.countAt(i))
          .append('\n');
    }
    return text.toString();
  }

  /** Spread over many magnitudes, as latencies are. */
  private static long[] values(long seed, int size) {
    SplittableRandom random = new SplittableRandom(seed);
    return random
        .doubles(size, 0, 36)
        .mapToLong(exponent -> (long) Math.pow(2, exponent))
        .toArray();
  }

  private static long[] concat(long[] a, long[] b) {
    long[] all = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    return all;
  }
}
