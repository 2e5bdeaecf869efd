package io.hdrsidecar.internal.send;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a deadline far beyond what it should take. */
public final class Await {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Await() {}

  /** Returns when the condition holds; fails after 60 s. */
  public static void until(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > DEADLINE_NANOS) {
        throw new AssertionError("did not come about within 60 s: " + what);
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
