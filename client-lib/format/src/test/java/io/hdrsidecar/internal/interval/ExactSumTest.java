package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sum against BigInteger. */
class ExactSumTest {
  private static long nonNegative(SplittableRandom random) {
    return random.nextLong() >>> random.nextInt(1, 64);
  }

  private static ExactSum sumOf(SplittableRandom random) {
    ExactSum sum = new ExactSum();
    sum.addProduct(nonNegative(random), nonNegative(random));
    return sum;
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void add_manyLargeValues_equalsBigInteger(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ExactSum sum = new ExactSum();
    BigInteger expected = BigInteger.ZERO;
    for (int i = 0; i < 100_000; i++) {
      long value = nonNegative(random);
      long times = nonNegative(random) >>> 20;
      sum.add(value);
      sum.addProduct(value, times);
      expected =
          expected.add(
              BigInteger.valueOf(value).multiply(BigInteger.valueOf(times).add(BigInteger.ONE)));
    }
    assertThat(sum.toBigInteger()).isEqualTo(expected);
    assertThat(sum).hasToString(expected.toString());
    assertThat(BigInteger.valueOf(sum.high()).shiftLeft(64).signum()).isEqualTo(1);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void subtract_whatWasAdded_restoresTheSum(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) {
      ExactSum before = sumOf(random);
      ExactSum added = sumOf(random);
      ExactSum sum = new ExactSum();
      sum.set(before);
      sum.add(added);
      assertThat(sum.toBigInteger()).isEqualTo(before.toBigInteger().add(added.toBigInteger()));
      sum.subtract(added.high(), added.low());
      assertThat(sum).isEqualTo(before).hasSameHashCodeAs(before);
    }
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void toDouble_anySum_isWithinTwoUnitsInTheLastPlace(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) {
      ExactSum sum = sumOf(random);
      double exact = sum.toBigInteger().doubleValue();
      assertThat(Math.abs(sum.toDouble() - exact)).isLessThanOrEqualTo(2 * Math.ulp(exact));
    }
  }
}
