package io.hdrsidecar.sidecar.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({"0s,PT0S", "250ms,PT0.25S", "10s,PT10S", "5m,PT5M", "24h,PT24H", "7d,PT168H"})
  void parse_numberAndUnit_givesTheDuration(String text, Duration expected) {
    assertThat(DurationText.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "5x", "5 s", "1.5s", "-5s", "5S", "1m30s", "9999999999s"})
  void parse_otherText_isRefusedWithTheText(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse(text))
        .withMessageContaining("not a duration")
        .withMessageEndingWith(text);
  }
}
