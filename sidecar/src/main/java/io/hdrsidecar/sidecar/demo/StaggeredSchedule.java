package io.hdrsidecar.sidecar.demo;

import io.hdrsidecar.client.schedule.Schedule;
import java.time.Duration;

/**
 * One schedule at a fixed rate, shared out among threads: call {@code c} of thread {@code t} is
 * call {@code c * threads + t} of the schedule.
 *
 * <p>A thread that falls behind makes its calls late, one after the other, and each keeps the start
 * it should have had. That is what open load means, and why response time taken from here shows the
 * waiting that a closed loop leaves out. Immutable.
 */
final class StaggeredSchedule {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Schedule schedule;
  private final long callsPerSecond;
  private final int threads;

  /**
   * A schedule.
   *
   * @param callsPerSecond calls of all threads together, at least 1
   * @param threads number of callers, at least 1
   */
  StaggeredSchedule(long callsPerSecond, int threads) {
    if (callsPerSecond < 1 || callsPerSecond > NANOS_PER_SECOND) {
      throw new IllegalArgumentException(
          "rate must be 1.." + NANOS_PER_SECOND + " calls a second: " + callsPerSecond);
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1: " + threads);
    }
    this.schedule = Schedule.fixedRate(callsPerSecond, Duration.ofSeconds(1));
    this.callsPerSecond = callsPerSecond;
    this.threads = threads;
  }

  long callsPerSecond() {
    return callsPerSecond;
  }

  int threads() {
    return threads;
  }

  /** Intended start of a thread's call, in nanoseconds after the start of the schedule. */
  long startNanos(int thread, long call) {
    return schedule.startNanos(call * threads + thread);
  }

  /** Number of calls, of all threads, meant to start before that many nanoseconds have passed. */
  long callsBefore(long elapsedNanos) {
    if (elapsedNanos <= 0) {
      return 0;
    }
    // Starts only rise, so the first call not due is found by bisection.
    long due = 0; // starts before
    long notDue = (elapsedNanos / NANOS_PER_SECOND + 1) * callsPerSecond; // does not
    while (notDue - due > 1) {
      long middle = due + (notDue - due) / 2;
      if (schedule.startNanos(middle) < elapsedNanos) {
        due = middle;
      } else {
        notDue = middle;
      }
    }
    return notDue;
  }
}
