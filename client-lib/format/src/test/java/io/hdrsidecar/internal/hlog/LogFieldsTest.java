package io.hdrsidecar.internal.hlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Base64 and numbers of a line, beside what Java makes of them. */
class LogFieldsTest {
  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void base64_ofAnyBytes_givesThemBack(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Base64Text decoder = new Base64Text();
    for (int length = 0; length < 3000; length += random.nextInt(1, 9)) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      String padded = Base64.getEncoder().encodeToString(bytes);
      for (String text : new String[] {padded, padded.replace("=", "")}) {
        byte[] line = ascii("ab" + text + "cd");
        decoder.decode(line, 2, line.length - 2);
        assertThat(Arrays.copyOf(decoder.bytes(), decoder.length())).isEqualTo(bytes);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A",
        "AAAAA",
        "AA=",
        "AAAA=",
        "A===",
        "AA A",
        "AA-_",
        "=AAA",
        "A\u00e9AA",
        "AAA!",
        "A!"
      })
  void base64_refusedByJava_isRefused(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> Base64.getDecoder().decode(bytes))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Base64Text().decode(bytes, 0, bytes.length))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void number_ofAnyLength_isWhatJavaParses(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      String text =
          switch (random.nextInt(3)) {
            case 0 -> String.format(Locale.ROOT, "%.3f", random.nextDouble() * 2e9);
            case 1 -> Double.toString(random.nextDouble() * Math.pow(10, random.nextInt(-20, 20)));
            default ->
                String.format(Locale.ROOT, "%." + random.nextInt(20) + "f", random.nextDouble());
          };
      byte[] line = ascii("1" + text + "2");
      assertThat(DecimalText.parse(line, 1, line.length - 1))
          .as(text)
          .isEqualTo(Double.parseDouble(text));
    }
  }

  @Test
  void number_thatIsNone_isNaN() {
    for (String text : new String[] {"", ".", "1.2.3", "NaN", "0x1p3", "1d", " 1", "1e", "--1"}) {
      byte[] line = ascii(text);
      assertThat(DecimalText.parse(line, 0, line.length)).as(text).isNaN();
    }
  }
}
