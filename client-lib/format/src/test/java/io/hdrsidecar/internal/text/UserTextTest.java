package io.hdrsidecar.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserTextTest {
  @ParameterizedTest
  @CsvSource({"PT0S,0s", "PT0.25S,250ms", "PT10S,10s", "PT1M30S,1m30s", "PT24H,24h"})
  void shown_isAsPeopleWriteIt(Duration value, String expected) {
    assertThat(UserText.shown(value)).isEqualTo(expected);
  }
}
