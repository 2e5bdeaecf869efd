package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.sidecar.Main;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The sidecar, with a thread that fills its heap once something comes from standard input: then
 * whichever thread allocates next meets an OutOfMemoryError, until the process has ended.
 */
final class FilledSidecar {
  private static final int LARGEST_BYTES = 1 << 20;
  private static final int SMALLEST_BYTES = 16;

  /** A chain of all that was allocated, so that no list has to grow. */
  private static Object @Nullable [] held;

  private FilledSidecar() {}

  public static void main(String[] args) {
    Thread filler = new Thread(FilledSidecar::fillOnInput, "filler");
    filler.setDaemon(true);
    filler.start();
    Main.main(args);
  }

  private static void fillOnInput() {
    try {
      if (System.in.read() < 0) {
        return; // the test has ended
      }
    } catch (IOException e) {
      throw new IllegalStateException("standard input cannot be read", e);
    }
    while (true) {
      for (int size = LARGEST_BYTES; size >= SMALLEST_BYTES; size /= 16) {
        fill(size);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10)); // others may have let go of some
    }
  }

  private static void fill(int size) {
    try {
      while (true) {
        held = new Object[] {held, new byte[size]};
      }
    } catch (OutOfMemoryError e) {
      // As is meant; smaller pieces fit yet, and the next error is to be another thread's.
    }
  }
}
