package io.hdrsidecar.tests.fuzz;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the process holds.
 *
 * @param heapBytes that can be reached
 * @param handles open files and sockets; 0 where the system does not say
 */
record Held(long heapBytes, long handles) {
  /** Of a heap that some ten megabytes of live data make up. */
  private static final long MAX_HEAP_GROWTH = 1 << 20;

  /** A class loaded late may open a file; a leak opens one with every other input. */
  private static final long MAX_HANDLE_GROWTH = 4;

  /** So many collections in a row that free nothing more show what is reachable. */
  private static final int COLLECTIONS_IN_VAIN = 3;

  private static final int MOST_COLLECTIONS = 20;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The least heap of several collections, with time between them for those who clean up. */
  static Held now() {
    long least = Long.MAX_VALUE;
    for (int all = 0, inVain = 0; inVain < COLLECTIONS_IN_VAIN && all < MOST_COLLECTIONS; all++) {
      System.gc();
      long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      inVain = used < least ? 0 : inVain + 1;
      least = Math.min(least, used);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return new Held(least, openHandles());
  }

  /** The same once no more handles are open than before: connections take their time to close. */
  static Held settledSince(Held before, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (openHandles() - before.handles > MAX_HANDLE_GROWTH && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return now();
  }

  private static long openHandles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  boolean isFlatSince(Held before) {
    return heapBytes - before.heapBytes <= MAX_HEAP_GROWTH
        && handles - before.handles <= MAX_HANDLE_GROWTH;
  }

  @Override
  public String toString() {
    return String.format("%.2f MiB and %d handles", heapBytes / (double) (1 << 20), handles);
  }
}
