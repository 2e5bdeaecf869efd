package io.hdrsidecar.sidecar.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeStepsTest {
  private static final long START = Instant.parse("2026-01-02T03:04:05.678Z").toEpochMilli();

  @ParameterizedTest
  @CsvSource({
    "PT1S, 11000, PT1S",
    "PT4M, 11000, PT1S",
    "PT5M, 11000, PT2S",
    "PT1H, 11000, PT15S",
    "PT24H, 11000, PT10M",
    "PT8760H, 11000, PT48H",
    "PT1H, 10, PT10M",
    "PT1H, 2, PT1H",
    "PT438000H, 11000, PT3072H",
  })
  void of_withoutAStep_takesAUsualOneThatGivesNotTooMany(
      Duration range, int maxSteps, Duration step) throws Exception {
    TimeSteps steps =
        TimeSteps.of(
            new Parameters(Map.<String, String>of().entrySet()),
            new TimeRange(START, START + range.toMillis()),
            SettingRecords.of(
                QueryLimits.class, Map.of("query.max-steps", String.valueOf(maxSteps))));

    assertThat(Duration.ofMillis(steps.stepMillis())).isEqualTo(step);
    assertThat(steps.count()).isLessThanOrEqualTo(Math.min(maxSteps, TimeSteps.USUAL_COUNT));
    assertThat(List.of(steps.startOf(START) % steps.stepMillis())).containsOnly(0L);
  }
}
