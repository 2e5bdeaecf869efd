package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleScheduleTest {
  /** The ticker may start anywhere, also just before it wraps. */
  @ParameterizedTest(name = "started at {0}, sampled {1} late, next is {2} after the start")
  @CsvSource({
    "0, 0, 200",
    "0, 99, 200",
    "0, 100, 300",
    "0, 1234, 1400",
    "9223372036854775757, 99, 200",
    "-50, 100, 300"
  })
  void advance_whenLate_staysOnTheSchedule(long start, long late, long expected) {
    SampleSchedule schedule = new SampleSchedule(start, 100);

    assertThat(schedule.isDue(start + 99)).isFalse();
    assertThat(schedule.isDue(start + 100 + late)).isTrue();
    schedule.advance(start + 100 + late);

    assertThat(schedule.next()).isEqualTo(start + expected);
    assertThat(schedule.isDue(start + 100 + late)).isFalse();
  }
}
