package io.hdrsidecar.sidecar.demo;

/**
 * When each call is meant to start: evenly spaced over all threads, and fixed before the first.
 *
 * <p>Call {@code c} of thread {@code t} is call {@code n = c * threads + t} of all and is meant to
 * start {@code n / callsPerSecond} seconds after the first one. Nothing that happens later moves an
 * intended start: a thread that falls behind makes its calls late, one after the other, and each
 * keeps the start it should have had. That is what open load means, and why response time taken
 * from here shows the waiting that a closed loop leaves out.
 *
 * @param callsPerSecond calls of all threads together, at least 1
 * @param threads number of callers, at least 1
 */
record Schedule(long callsPerSecond, int threads) {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  Schedule {
    if (callsPerSecond < 1 || callsPerSecond > NANOS_PER_SECOND) {
      throw new IllegalArgumentException(
          "rate must be 1.." + NANOS_PER_SECOND + " calls a second: " + callsPerSecond);
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1: " + threads);
    }
  }

  /** Intended start of a thread's call, in nanoseconds after the start of the schedule. */
  long offsetNanos(int thread, long call) {
    long n = call * threads + thread;
    // Whole seconds apart from the rest, so that no product overflows, however long the demo runs.
    long seconds = n / callsPerSecond;
    return seconds * NANOS_PER_SECOND + n % callsPerSecond * NANOS_PER_SECOND / callsPerSecond;
  }

  /** Number of calls, of all threads, meant to start before that many nanoseconds have passed. */
  long callsBefore(long elapsedNanos) {
    if (elapsedNanos <= 0) {
      return 0;
    }
    long last = elapsedNanos - 1;
    long seconds = last / NANOS_PER_SECOND;
    long rest = last % NANOS_PER_SECOND;
    // Offsets are rounded down, so the last call due is the largest n with n <= (rest + 1) * rate,
    // that product excluded.
    long due = ((rest + 1) * callsPerSecond - 1) / NANOS_PER_SECOND;
    return seconds * callsPerSecond + due + 1;
  }
}
