package io.hdrsidecar.benchmarks.scrape;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * What one piece of work costs the thread that does it, as medians over the last half of its runs:
 * the first half is warm-up.
 */
final class Measured {
  /** Work that gives a number, so that it cannot be left out. */
  interface Work {
    int run() throws IOException;
  }

  private static final ThreadMXBean THREADS =
      (ThreadMXBean) ManagementFactory.getThreadMXBean(); // of HotSpot

  private final Work work;
  private final List<Long> cpuNanos = new ArrayList<>();
  private final List<Long> clockNanos = new ArrayList<>();
  private final List<Long> bytes = new ArrayList<>();
  private int result;

  Measured(Work work) {
    this.work = work;
  }

  void run() throws IOException {
    long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
    long cpuBefore = THREADS.getCurrentThreadCpuTime();
    long clockBefore = System.nanoTime();
    result = work.run();
    clockNanos.add(System.nanoTime() - clockBefore);
    cpuNanos.add(THREADS.getCurrentThreadCpuTime() - cpuBefore);
    bytes.add(THREADS.getCurrentThreadAllocatedBytes() - bytesBefore);
  }

  int result() {
    return result;
  }

  double cpuMillis() {
    return median(cpuNanos) / 1e6;
  }

  double clockMillis() {
    return median(clockNanos) / 1e6;
  }

  double allocatedBytes() {
    return median(bytes);
  }

  private static double median(List<Long> all) {
    List<Long> warm = all.subList(all.size() / 2, all.size());
    return warm.stream().sorted().toList().get(warm.size() / 2);
  }
}
