package io.hdrsidecar.sidecar.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalNumberTest {
  private static final BigInteger HIGHEST = BigInteger.valueOf(Long.MAX_VALUE);

  private final DecimalNumber number = new DecimalNumber();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void times10To_randomNumbers_isWhatBigDecimalSays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      String text = someNumber(random);
      int power = random.nextInt(10);
      assertThat(read(text)).as(text).isTrue();
      BigDecimal exact = new BigDecimal(text).abs().scaleByPowerOfTen(power);
      BigInteger nearest = exact.setScale(0, RoundingMode.HALF_UP).toBigInteger();

      assertThat(number.times10To(power))
          .as("%s * 10^%s, seed %s", text, power, seed)
          .isEqualTo(nearest.min(HIGHEST).longValueExact());
      if (nearest.compareTo(HIGHEST) < 0) {
        assertThat(number.isRounded())
            .as("%s * 10^%s, seed %s", text, power, seed)
            .isEqualTo(exact.compareTo(new BigDecimal(nearest)) != 0);
      }
      assertThat(number.isNegative()).as(text).isEqualTo(new BigDecimal(text).signum() < 0);
    }
  }

  /** The short way reads what the long one does, and both are compared with BigDecimal. */
  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void readToColon_randomNumbers_isWhatBigDecimalSays_andEndsAtTheColon(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      String text = someNumber(random);
      byte[] bytes = ("|" + text + ":9").getBytes(StandardCharsets.US_ASCII);
      boolean isLast = random.nextBoolean();
      int to = isLast ? bytes.length - 2 : bytes.length;
      BigDecimal exact = new BigDecimal(text);
      BigInteger nearest =
          exact.abs().scaleByPowerOfTen(6).setScale(0, RoundingMode.HALF_UP).toBigInteger();

      assertThat(number.readToColon(bytes, 1, to)).as(text).isEqualTo(bytes.length - 2);
      assertThat(number.isNumber()).as(text).isTrue();
      assertThat(number.times10To(6))
          .as("%s, seed %s", text, seed)
          .isEqualTo(nearest.min(HIGHEST).longValueExact());
      assertThat(number.isNegative()).as(text).isEqualTo(exact.signum() < 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", ".", "-.", "1.2.3", "1x", "1-", "NaN", "1e", " 1"})
  void readToColon_whatIsNoNumber_isRefused_andEndsAtTheColon(String text) {
    byte[] bytes = (text + ":5").getBytes(StandardCharsets.US_ASCII);

    assertThat(number.readToColon(bytes, 0, bytes.length)).isEqualTo(text.length());
    assertThat(number.isNumber()).isFalse();
    assertThat(number.readToColon(bytes, text.length() + 1, bytes.length)).isEqualTo(bytes.length);
    assertThat(number.isNumber()).isTrue();
    assertThat(number.times10To(0)).isEqualTo(5);
  }

  /** More digits than a long has. */
  @Test
  void readToColon_veryManyDigits_isRoundedOrTheHighest() {
    byte[] many =
        ("0.12345678901234567890123:" + "9".repeat(40)).getBytes(StandardCharsets.US_ASCII);

    int colon = number.readToColon(many, 0, many.length);
    assertThat(number.times10To(9)).isEqualTo(123_456_789);
    assertThat(number.readToColon(many, colon + 1, many.length)).isEqualTo(many.length);
    assertThat(number.times10To(0)).isEqualTo(Long.MAX_VALUE);
  }

  /** Up to 18 digits, as many as are read one by one. */
  private static String someNumber(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    text.append(new String[] {"", "-", "+"}[random.nextInt(3)]);
    int before = random.nextInt(10);
    for (int i = 0; i < before; i++) {
      text.append(random.nextInt(10));
    }
    if (before == 0 || random.nextBoolean()) {
      text.append('.');
      for (int i = random.nextInt(1, 9); i > 0; i--) {
        text.append(random.nextInt(10));
      }
    }
    if (random.nextInt(4) == 0) {
      text.append(random.nextBoolean() ? "e" : "E").append(random.nextInt(-20, 21));
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "-", ".", "+.", "1.2.3", "1e", "1e+", "e5", "NaN", "Inf", "0x10", "1 ", " 1", "1,5",
        "--1", "1-", "1e5.5", "١"
      })
  void read_whatIsNoNumber_isRefused(String text) {
    assertThat(read(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1e99999999999999999999", "123456789012345678901234567890", "9e18", "1e19"})
  void times10To_beyondALong_isTheHighest(String text) {
    assertThat(read(text)).isTrue();
    assertThat(number.times10To(6)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void times10To_veryManyDigits_dropsThoseBehindTheEighteenth() {
    assertThat(read("0." + "0".repeat(5000) + "1")).isTrue();
    assertThat(number.times10To(9)).isZero();
    assertThat(number.isRounded()).isTrue();

    assertThat(read("0.12345678901234567890123")).isTrue();
    assertThat(number.times10To(9)).isEqualTo(123_456_789);
  }

  @Test
  void times_aFactor_isTheNearestWholeNumber() {
    assertThat(read("1500")).isTrue();
    assertThat(number.times(0.001)).isEqualTo(2);
    assertThat(number.isRounded()).isTrue();
    assertThat(number.times(2)).isEqualTo(3000);
    assertThat(number.isRounded()).isFalse();
  }

  private boolean read(String text) {
    byte[] bytes = ("|" + text + ":").getBytes(StandardCharsets.UTF_8);
    return number.read(bytes, 1, bytes.length - 1);
  }
}
