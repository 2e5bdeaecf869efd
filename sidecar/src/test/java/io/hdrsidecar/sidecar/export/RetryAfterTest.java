package io.hdrsidecar.sidecar.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-11-25T17:00:00Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0",
        "7 | 7",
        " 12 | 12",
        "301 | 300",
        "99999999999999999999 | 300",
        "-5 | 0",
        "soon | 0",
        "Wed, 25 Nov 2026 17:00:30 GMT | 30",
        "Wed, 25 Nov 2026 16:59:00 GMT | 0",
        "Fri, 25 Nov 2050 17:00:00 GMT | 300",
        "2026-11-25T17:00:30Z | 0"
      })
  void read_isSecondsOrAMoment_andNoMoreThanFiveMinutes(String header, long seconds) {
    assertThat(RetryAfter.read(header, NOW)).isEqualTo(Duration.ofSeconds(seconds));
  }
}
