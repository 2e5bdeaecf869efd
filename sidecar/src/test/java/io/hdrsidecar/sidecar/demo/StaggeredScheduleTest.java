package io.hdrsidecar.sidecar.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StaggeredScheduleTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void startNanos_ofOneThread_isSpacedByTheRate() {
    StaggeredSchedule schedule = new StaggeredSchedule(1_000, 1);

    assertThat(List.of(0L, 1L, 2L, 59_999L).stream().map(call -> schedule.startNanos(0, call)))
        .containsExactly(0L, 1_000_000L, 2_000_000L, 59_999_000_000L);
  }

  @Test
  void startNanos_ofSeveralThreads_staggersThemEvenly() {
    StaggeredSchedule schedule = new StaggeredSchedule(10_000, 25);

    List<Long> offsets = new ArrayList<>();
    for (int thread = 0; thread < 25; thread++) {
      for (long call = 0; call < 400; call++) {
        offsets.add(schedule.startNanos(thread, call));
      }
    }

    Collections.sort(offsets);
    for (int n = 0; n < 10_000; n++) {
      assertThat(offsets.get(n)).isEqualTo(n * 100_000L);
    }
  }

  @ParameterizedTest(name = "rate={0} threads={1} thread={2} call={3}")
  @CsvSource({
    "3, 1, 0, 1",
    "7, 3, 2, 1000000007",
    "10000, 25, 24, 40000000000",
    "999999999, 64, 63, 99999999999999",
  })
  void startNanos_whenTheRateDoesNotDivideASecond_roundsDownAndNeverDrifts(
      long rate, int threads, int thread, long call) {
    BigInteger n =
        BigInteger.valueOf(call)
            .multiply(BigInteger.valueOf(threads))
            .add(BigInteger.valueOf(thread));
    BigInteger expected = n.multiply(BigInteger.valueOf(SECOND)).divide(BigInteger.valueOf(rate));

    assertThat(new StaggeredSchedule(rate, threads).startNanos(thread, call))
        .isEqualTo(expected.longValueExact());
  }

  @ParameterizedTest(name = "rate={0}")
  @CsvSource({"1", "3", "7", "1000", "10000", "999983"})
  void callsBefore_anyTime_countsTheOffsetsBelowIt(long rate) {
    StaggeredSchedule schedule = new StaggeredSchedule(rate, 1);
    for (long n : new long[] {0, 1, 2, rate - 1, rate, rate + 1, 5 * rate + 3}) {
      long offset = schedule.startNanos(0, n);
      // Call n is not yet due at its own offset, and due one nanosecond later.
      assertThat(schedule.callsBefore(offset)).isEqualTo(n);
      assertThat(schedule.callsBefore(offset + 1)).isEqualTo(n + 1);
    }
  }

  @Test
  void callsBefore_theBegin_isNone() {
    assertThat(new StaggeredSchedule(1_000, 1).callsBefore(-SECOND)).isZero();
  }

  @Test
  void new_withoutRateOrThreads_isRefused() {
    assertThatThrownBy(() -> new StaggeredSchedule(0, 1)).hasMessageContaining("rate must be");
    assertThatThrownBy(() -> new StaggeredSchedule(1, 0)).hasMessageContaining("threads must be");
  }
}
