package io.hdrsidecar.client.schedule;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Starts work at the intended times of a schedule, on the calling thread. It never skips a start
 * and never moves one: after a stall the late starts follow at once, each with its own intended
 * time, so what the stall cost is in their wait times.
 *
 * <pre>{@code
 * ScheduledRecorder pay = ScheduledRecorder.of(client, "pay", Labels.empty());
 * OpenLoad.of(Schedule.fixedRate(1_000))
 *     .run(60_000, intended -> {
 *       try (var call = pay.begin(intended)) {
 *         pay();
 *       }
 *     });
 * }</pre>
 *
 * <p>Work that must overlap is handed to an executor from here; the time in its queue is then wait
 * time.
 *
 * <p>Immutable. A schedule that any thread may ask may drive several runs at once.
 */
public final class OpenLoad {
  /** A sleep overshoots by some 60 us on Linux; the rest is spun. */
  private static final long SPIN_NANOS = 100_000;

  private final Schedule schedule;

  private OpenLoad(Schedule schedule) {
    this.schedule = schedule;
  }

  /** A load that follows this schedule. */
  public static OpenLoad of(Schedule schedule) {
    return new OpenLoad(schedule);
  }

  /**
   * Starts the first {@code calls} of the schedule, with now as its origin, and returns after the
   * last.
   *
   * @param atStart gets each intended start on the scale of {@link System#nanoTime()}, at that time
   *     or late; what it throws ends the run
   * @throws InterruptedException when interrupted before a start
   */
  public void run(long calls, LongConsumer atStart) throws InterruptedException {
    long origin = System.nanoTime();
    for (long n = 0; n < calls; n++) {
      long intended = origin + schedule.startNanos(n);
      awaitNanoTime(intended);
      atStart.accept(intended);
    }
  }

  private static void awaitNanoTime(long time) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    long left = time - System.nanoTime();
    while (left > 0) {
      if (left > SPIN_NANOS) {
        TimeUnit.NANOSECONDS.sleep(left - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
      left = time - System.nanoTime();
    }
  }
}
