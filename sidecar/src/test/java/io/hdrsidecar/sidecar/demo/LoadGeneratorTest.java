package io.hdrsidecar.sidecar.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bounds asserted here are lower bounds on waiting, which hold however slow the machine is. */
@Timeout(60)
final class LoadGeneratorTest {
  private static final long MILLI = 1_000_000;

  private record Call(long intendedStart, long actualStart, long end) {
    long serviceNanos() {
      return end - actualStart;
    }

    long responseNanos() {
      return end - intendedStart;
    }
  }

  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

  private void add(long intendedStart, long actualStart, long end) {
    calls.add(new Call(intendedStart, actualStart, end));
  }

  private LoadGenerator start(LoadPlan plan) {
    return LoadGenerator.start(plan, this::add);
  }

  private static LoadPlan fixed(long rate, int threads, Duration serviceTime, Duration duration) {
    return new LoadPlan(
        new StaggeredSchedule(rate, threads), new ServiceSpec.Fixed(serviceTime), 1, duration);
  }

  @Test
  void start_whenTheServiceIsFourTimesTooSlow_responseGrowsByTheDifferenceEachCall()
      throws InterruptedException {
    LoadGenerator generator = start(fixed(1_000, 1, Duration.ofMillis(4), Duration.ofMillis(400)));
    awaitEnd(generator);

    List<Call> inOrder = List.copyOf(calls);
    assertThat(inOrder).isNotEmpty();
    for (int k = 1; k <= inOrder.size(); k++) {
      Call call = inOrder.get(k - 1);
      assertThat(call.serviceNanos()).isGreaterThanOrEqualTo(4 * MILLI);
      // k service times, one after the other, end; call k was meant to start k - 1 ms in.
      assertThat(call.responseNanos()).isGreaterThanOrEqualTo((4 + 3 * (k - 1)) * MILLI);
    }
  }

  @Test
  void start_withADuration_startsNoCallAfterItAndCountsThoseNotMade() throws InterruptedException {
    LoadGenerator generator = start(fixed(1_000, 1, Duration.ofMillis(4), Duration.ofMillis(400)));
    awaitEnd(generator);

    // A service of 4 ms and one thread: at most one call every 4 ms, the last started before the
    // end.
    assertThat(generator.callsMade()).isEqualTo(calls.size()).isBetween(1L, 100L);
    assertThat(generator.callsDue()).isEqualTo(400);
  }

  @Test
  void start_withSeveralThreads_countsEveryCallOnce() throws InterruptedException {
    LoadGenerator generator =
        start(fixed(1_000, 8, Duration.ofNanos(1_000), Duration.ofMillis(300)));
    awaitEnd(generator);

    assertThat(generator.callsMade()).isEqualTo(calls.size()).isBetween(1L, 300L);
    assertThat(generator.callsDue()).isEqualTo(300);
  }

  @Test
  void record_anyCall_responseIsNeverShorterThanService() throws InterruptedException {
    LoadGenerator generator =
        start(
            new LoadPlan(
                new StaggeredSchedule(2_000, 4),
                new ServiceSpec.FourMode(),
                7,
                Duration.ofMillis(500)));
    awaitEnd(generator);

    assertThat(calls)
        .isNotEmpty()
        .allSatisfy(
            call -> assertThat(call.responseNanos()).isGreaterThanOrEqualTo(call.serviceNanos()));
  }

  @Test
  void stop_beforeTheEnd_endsTheLoadWithEveryCallRecorded() throws InterruptedException {
    CountDownLatch hundred = new CountDownLatch(100);
    LoadGenerator generator =
        LoadGenerator.start(
            fixed(1_000, 4, Duration.ofNanos(1_000), LoadPlan.UNLIMITED),
            (intendedStart, actualStart, end) -> {
              add(intendedStart, actualStart, end);
              hundred.countDown();
            });
    hundred.await();
    generator.stop();
    awaitEnd(generator);

    assertThat(generator.callsMade()).isEqualTo(calls.size()).isGreaterThanOrEqualTo(100);
  }

  @Test
  void awaitEnd_whenAThreadFails_saysSo() {
    LoadGenerator generator =
        LoadGenerator.start(
            fixed(1_000, 1, Duration.ofNanos(1_000), LoadPlan.UNLIMITED),
            (intendedStart, actualStart, end) -> {
              throw new IllegalArgumentException("broken recorder");
            });

    assertThatThrownBy(() -> awaitEnd(generator))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("broken recorder");
  }

  private static void awaitEnd(LoadGenerator generator) throws InterruptedException {
    assertThat(generator.awaitEnd(Duration.ofSeconds(30))).isTrue();
  }
}
