package io.hdrsidecar.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OpenLoadTest {
  private static final long MILLI = 1_000_000;

  @Test
  void run_afterAStall_keepsEveryIntendedStart() throws InterruptedException {
    List<Long> intended = new ArrayList<>();
    List<Boolean> early = new ArrayList<>();

    OpenLoad.of(Schedule.fixedRate(1_000))
        .run(
            50,
            start -> {
              early.add(System.nanoTime() - start < 0);
              intended.add(start);
              if (intended.size() == 1) {
                spin(20 * MILLI); // twenty starts pass meanwhile
              }
            });

    assertThat(intended).hasSize(50);
    for (int n = 0; n < 50; n++) {
      assertThat(intended.get(n) - intended.get(0)).isEqualTo(n * MILLI);
    }
    assertThat(early).doesNotContain(true);
  }

  private static void spin(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  @Test
  void run_ofAScheduleOfOnesOwn_followsIt() throws InterruptedException {
    long[] trace = {0, 3 * MILLI, 3 * MILLI, 4 * MILLI};
    List<Long> intended = new ArrayList<>();

    OpenLoad.of(n -> trace[(int) n]).run(trace.length, intended::add);

    long origin = intended.get(0);
    assertThat(intended)
        .containsExactly(origin, origin + 3 * MILLI, origin + 3 * MILLI, origin + 4 * MILLI);
  }

  @Test
  void run_whenInterrupted_endsBeforeTheNextStart() {
    List<Long> intended = new ArrayList<>();

    assertThatThrownBy(
            () ->
                OpenLoad.of(n -> n * TimeUnit.HOURS.toNanos(1))
                    .run(
                        3,
                        start -> {
                          intended.add(start);
                          Thread.currentThread().interrupt();
                        }))
        .isInstanceOf(InterruptedException.class);

    assertThat(intended).hasSize(1);
  }
}
