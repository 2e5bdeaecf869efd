package io.hdrsidecar.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);

  @ParameterizedTest(name = "perSecond={0}")
  @ValueSource(
      doubles = {
        1,
        3,
        7,
        1000,
        0.1,
        333.3,
        333.3333333333333,
        1e-9,
        0.3e-8,
        1e9,
        999999999.999,
        12e6
      })
  void fixedRate_atAnyStart_isTheExactMultipleRoundedDown(double perSecond) {
    Schedule schedule = Schedule.fixedRate(perSecond);
    SplittableRandom random = new SplittableRandom(42);
    double tenYears = perSecond * 10 * 365 * 24 * 3600;
    for (int i = 0; i < 1_000; i++) {
      long n = i < 100 ? i : random.nextLong((long) Math.max(1, tenYears));
      if (perSecond > 1e-8 || n < 9) {
        assertThat(schedule.startNanos(n)).as("n=%d", n).isEqualTo(exactStart(n, perSecond));
      }
    }
  }

  private static long exactStart(long n, double perSecond) {
    return BigDecimal.valueOf(n)
        .multiply(NANOS_PER_SECOND)
        .divide(BigDecimal.valueOf(perSecond), 0, RoundingMode.FLOOR)
        .longValueExact();
  }

  @Test
  void fixedRate_ofThreeASecondAfterAYear_hasNotDrifted() {
    long seconds = 365L * 24 * 3600;

    assertThat(Schedule.fixedRate(3).startNanos(3 * seconds))
        .isEqualTo(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void fixedRate_ofCallsPerDuration_isTheExactMultipleRoundedDown() {
    Schedule schedule = Schedule.fixedRate(7, Duration.ofMinutes(1));

    assertThat(LongStream.rangeClosed(0, 7).map(schedule::startNanos))
        .containsExactly(
            0L,
            8_571_428_571L,
            17_142_857_142L,
            25_714_285_714L,
            34_285_714_285L,
            42_857_142_857L,
            51_428_571_428L,
            60_000_000_000L);
  }

  @Test
  void fixedRate_ofHugePrimes_doesNotOverflow() {
    long calls = 1_000_000_007;
    Duration per = Duration.ofNanos(3_600_000_000_037L);
    Schedule schedule = Schedule.fixedRate(calls, per);

    for (long n : new long[] {1, calls - 1, calls, 1_000 * calls + 123_456_789}) {
      BigInteger exact =
          BigInteger.valueOf(n)
              .multiply(BigInteger.valueOf(per.toNanos()))
              .divide(BigInteger.valueOf(calls));
      assertThat(schedule.startNanos(n)).isEqualTo(exact.longValueExact());
    }
  }

  @Test
  void fixedRate_pastTheRangeOfALong_throwsInsteadOfTurningBack() {
    Schedule schedule = Schedule.fixedRate(1);

    assertThatThrownBy(() -> schedule.startNanos(1L << 40)).isInstanceOf(ArithmeticException.class);
  }

  @ParameterizedTest(name = "perSecond={0}")
  @ValueSource(doubles = {0, -1, 1.1e9, Double.NaN, Double.POSITIVE_INFINITY, 1e-10})
  void fixedRateAndPoisson_withARateOutOfRange_sayTheRange(double perSecond) {
    assertThatThrownBy(() -> Schedule.fixedRate(perSecond))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("calls per second must be 1e-9 to 1e9: " + perSecond);
    assertThatThrownBy(() -> Schedule.poisson(perSecond, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("calls per second must be 1e-9 to 1e9: " + perSecond);
  }

  @Test
  void fixedRate_withMoreThanOneCallANanosecond_isRefused() {
    assertThatThrownBy(() -> Schedule.fixedRate(11, Duration.ofNanos(10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("11 per PT0.00000001S");
  }

  @Test
  void poisson_withTheSameSeed_givesTheSameStartsInAnyOrder() {
    Schedule one = Schedule.poisson(1_000, 7);
    Schedule two = Schedule.poisson(1_000, 7);
    long[] ascending = LongStream.range(0, 1_000).map(one::startNanos).toArray();

    assertThat(two.startNanos(999)).isEqualTo(ascending[999]);
    assertThat(two.startNanos(0)).isEqualTo(ascending[0]);
    assertThat(two.startNanos(500)).isEqualTo(ascending[500]);
    assertThat(two.startNanos(500)).isEqualTo(ascending[500]);
    assertThat(ascending).isSorted();
  }

  /** Expected: java.util.Random's documented generator and the logarithm, worked out in Python. */
  @Test
  void poisson_ofASeed_isTheSameOnEveryJvm() {
    Schedule schedule = Schedule.poisson(1_000, 42);

    assertThat(LongStream.range(0, 5).map(schedule::startNanos))
        .containsExactly(1_300_350L, 2_449_909L, 2_819_118L, 3_143_573L, 4_238_838L);
  }

  /** A Poisson process: mean gap 1/rate, and gaps above twice the mean with chance exp(-2). */
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void poisson_overManyStarts_hasExponentialGaps(long seed) {
    int gaps = 200_000;
    double meanNanos = 1e9 / 5_000;
    Schedule schedule = Schedule.poisson(5_000, seed);
    long before = 0;
    int longGaps = 0;
    for (int n = 0; n < gaps; n++) {
      long start = schedule.startNanos(n);
      if (start - before > 2 * meanNanos) {
        longGaps++;
      }
      before = start;
    }
    // Five standard deviations: 1/sqrt(n) of the mean, sqrt(p(1-p)/n) of the share.
    assertThat(before / (double) gaps)
        .isCloseTo(meanNanos, within(5 * meanNanos / Math.sqrt(gaps)));
    assertThat(longGaps / (double) gaps)
        .isCloseTo(Math.exp(-2), within(5 * 0.342 / Math.sqrt(gaps)));
  }
}
