package io.hdrsidecar.client.hiccup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HiccupMeterTest {
  private static final long MILLI = 1_000_000;

  @Test
  void wokeAt_afterTheFirstTime_givesWhatExceedsTheShortestInterval() {
    HiccupClock clock = new HiccupClock();
    long[] wakeUps = {0, 1_100_000, 2_150_000, 3_250_000, 13_300_000, 14_350_000};
    List<Long> hiccups = new ArrayList<>();
    for (long wakeUp : wakeUps) {
      hiccups.add(clock.wokeAt(Long.MAX_VALUE - 5 * MILLI + wakeUp)); // nanoTime may overflow
    }

    // Intervals 1.1, 1.05, 1.1, 10.05, 1.05 ms; the shortest so far is 1.1, then 1.05 ms.
    assertThat(hiccups).containsExactly(HiccupClock.NONE, 0L, 0L, 50_000L, 9_000_000L, 0L);
  }

  @Test
  void start_measuresOnADaemonThreadUntilClosed() throws Exception {
    CountDownLatch measured = new CountDownLatch(20);
    AtomicLong smallest = new AtomicLong(Long.MAX_VALUE);
    AtomicLong interval = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    HiccupMeter meter =
        HiccupMeter.start(
            HiccupConfig.DEFAULT,
            (hiccup, expected) -> {
              smallest.accumulateAndGet(hiccup, Math::min);
              interval.set(expected);
              if (measured.getCount() == 1) {
                threads.add(Thread.currentThread());
              }
              measured.countDown();
            });
    try {
      assertThat(measured.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      meter.close();
    }

    Thread thread = threads.get(0);
    thread.join(TimeUnit.SECONDS.toMillis(30));
    assertThat(thread.isAlive()).isFalse();
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getName()).isEqualTo("hdr-sidecar-hiccups");
    assertThat(smallest).hasValue(0);
    assertThat(interval).hasValue(MILLI);
  }

  @Test
  void start_whenTheThreadIsHeld_reportsThePause() throws Exception {
    long held = 30 * MILLI;
    AtomicLong calls = new AtomicLong();
    AtomicLong largest = new AtomicLong();
    CountDownLatch reported = new CountDownLatch(1);
    HiccupMeter meter =
        HiccupMeter.start(
            HiccupConfig.DEFAULT,
            (hiccup, expected) -> {
              if (calls.incrementAndGet() == 50) {
                spin(held);
              } else if (calls.get() == 51) {
                largest.set(hiccup);
                reported.countDown();
              }
            });
    try {
      assertThat(reported.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      meter.close();
    }
    // The interval holds a whole sleep and the spin; the shortest of 50 is at most that sleep, as
    // far as sleeps are alike: half the spin leaves ample room for those that are not.
    assertThat(largest.get()).isGreaterThanOrEqualTo(held / 2);
  }

  private static void spin(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  @Test
  void start_withADelay_reportsNothingBeforeIt() throws Exception {
    long delay = 50 * MILLI;
    AtomicLong firstReport = new AtomicLong();
    CountDownLatch reported = new CountDownLatch(1);
    long started = System.nanoTime();
    HiccupMeter meter =
        HiccupMeter.start(
            HiccupConfig.DEFAULT.withStartDelay(Duration.ofNanos(delay)),
            (hiccup, expected) -> {
              firstReport.compareAndSet(0, System.nanoTime());
              reported.countDown();
            });
    try {
      assertThat(reported.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      meter.close();
    }
    assertThat(firstReport.get() - started).isGreaterThanOrEqualTo(delay);
  }

  @Test
  void config_outOfRange_saysTheRange() {
    assertThatThrownBy(() -> HiccupConfig.DEFAULT.withResolution(Duration.ofNanos(999_999)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hiccup resolution must be 1ms to 1s: 0.000999999s");
    assertThatThrownBy(() -> HiccupConfig.DEFAULT.withStartDelay(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hiccup start delay must be 0s to 1h: -1s");
  }
}
