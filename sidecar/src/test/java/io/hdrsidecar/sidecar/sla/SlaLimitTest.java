package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.series.Unit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlaLimitTest {
  @ParameterizedTest
  @CsvSource({
    "50ms, 72351743, NANOSECONDS, 72.35ms",
    "1.5 s, 1500, MILLISECONDS, 1.5s",
    "2m, 90000000000, NANOSECONDS, 1.5m",
    "64KiB, 98304, BYTES, 96KiB",
    "100ms, 0, NANOSECONDS, 0ms",
    "100, 12345678, NONE, 12345678"
  })
  void likewise_ofAValue_isInTheUnitOfTheLimit(
      String limit, long value, Unit unit, String expected) {
    assertThat(SlaLimit.parse("99%", limit).likewise(value, unit)).isEqualTo(expected);
  }
}
