package io.hdrsidecar.tests.support;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another process will do, by asking again until a deadline. */
public final class Eventually {
  /** So long that only a fault reaches it, also on a busy machine. */
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private Eventually() {}

  /** An assertion that may not hold yet. */
  @FunctionalInterface
  public interface Assertion {
    /** Throws while it does not hold. */
    void check() throws Exception;
  }

  /** Waits until the assertion holds; after the deadline its last failure is thrown. */
  public static void holds(Assertion assertion) throws Exception {
    gives(
        () -> {
          assertion.check();
          return true;
        });
  }

  /** Waits until the call gives a result; after the deadline its last failure is thrown. */
  public static <T> T gives(Callable<T> call) throws Exception {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (true) {
      try {
        return call.call();
      } catch (Exception | AssertionError e) {
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
