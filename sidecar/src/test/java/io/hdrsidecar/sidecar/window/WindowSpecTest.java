package io.hdrsidecar.sidecar.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowSpecTest {
  @ParameterizedTest
  @CsvSource({
    "1m, 60, 1, 60",
    "5m, 300, 5, 60",
    "5m/10s, 300, 10, 30",
    "10s, 10, 1, 10",
    "1h, 3600, 60, 60",
    "1s, 1, 1, 1"
  })
  void parse_spanAndStep_givesSteps(String text, long span, long step, int steps) {
    WindowSpec window = WindowSpec.parse(text);

    assertThat(window.span()).isEqualTo(Duration.ofSeconds(span));
    assertThat(window.step()).isEqualTo(Duration.ofSeconds(step));
    assertThat(window.steps()).isEqualTo(steps);
    assertThat(text).startsWith(window.name());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1", "m", "1x", "-1m", "1m/7s", "1m/500ms", "500ms", "2h/1s", "1m/2m", "0s"})
  void parse_otherText_isRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> WindowSpec.parse(text));
  }

  @Test
  void parseList_twoOfOneName_isRefused() {
    assertThat(WindowSpec.parseList("1m, 5m/5s")).hasSize(2);
    assertThatIllegalArgumentException().isThrownBy(() -> WindowSpec.parseList("5m,5m/10s"));
  }
}
