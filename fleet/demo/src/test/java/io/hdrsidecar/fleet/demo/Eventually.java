package io.hdrsidecar.fleet.demo;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for what is not true yet. */
final class Eventually {
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Something that may hold. */
  interface Condition {
    boolean holds() throws Exception;
  }

  private Eventually() {}

  static void holds(String what, int patienceSeconds, Condition condition) throws Exception {
    holds(() -> what, patienceSeconds, condition);
  }

  static void holds(Supplier<String> what, int patienceSeconds, Condition condition)
      throws Exception {
    if (!orGivesUp(patienceSeconds, condition)) {
      throw new AssertionError("not within " + patienceSeconds + " s: " + what.get());
    }
  }

  /** Whether it came to hold in that time. */
  static boolean orGivesUp(int patienceSeconds, Condition condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    return true;
  }
}
