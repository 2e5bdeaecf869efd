package io.hdrsidecar.sidecar.export;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** When the export ends: waits are cut short once it is asked to. Any thread. */
final class EndOfExport {
  private static final long NEVER = Long.MAX_VALUE;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean asked;
  private boolean woken;
  private long overNanos;

  /** Asks for the end, so many nanoseconds from now at the latest. */
  void ask(long nanos) {
    lock.lock();
    try {
      long over = System.nanoTime() + nanos;
      overNanos = asked && overNanos - over < 0 ? overNanos : over;
      asked = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether it was asked for. */
  boolean isNear() {
    lock.lock();
    try {
      return asked;
    } finally {
      lock.unlock();
    }
  }

  /** Whether its time has come. */
  boolean isOver() {
    return leftNanos() <= 0;
  }

  /** Nanoseconds until it has come. */
  long leftNanos() {
    lock.lock();
    try {
      return asked ? overNanos - System.nanoTime() : NEVER;
    } finally {
      lock.unlock();
    }
  }

  /** Waits so long, or until the end is asked for or its time has come. The thread that ends. */
  void await(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long until = System.nanoTime() + nanos;
      while (true) {
        if (asked && !woken) {
          woken = true; // Once: later waits are those between two attempts.
          return;
        }
        long left = until - System.nanoTime();
        if (asked) {
          left = Math.min(left, overNanos - System.nanoTime());
        }
        if (left <= 0) {
          return;
        }
        changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
