package io.hdrsidecar.benchmarks.record;

import com.sun.management.OperatingSystemMXBean;
import io.hdrsidecar.benchmarks.record.RecordingDesign.Recording;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;

/**
 * {@code VirtualThreads DESIGN VALUES ROUNDS}: what a value costs when a new virtual thread records
 * each so many of them into one series, and ends. Prints nanoseconds of processor time of the
 * process, less those of as many threads that record nothing, in turns with them.
 */
public final class VirtualThreads {
  private static final int VALUES_PER_ROUND = 4_000_000;
  private static final int WARM_UPS = 2;
  private static final int AT_ONCE = 1_000;
  private static final long[] VALUES = Latencies.logNormal(1 << 14, 1);

  private final OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final Recording recording;
  private final int valuesPerThread;
  private final ThreadFactory threads = factory();

  private VirtualThreads(Recording recording, int valuesPerThread) {
    this.recording = recording;
    this.valuesPerThread = valuesPerThread;
  }

  /** Whether this JVM has them. */
  static boolean arePresent() {
    return Runtime.version().feature() >= 21;
  }

  /** By reflection, as this is compiled for 17. */
  private static ThreadFactory factory() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      return (ThreadFactory)
          Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("virtual threads need JDK 21", e);
    }
  }

  /** See the class. */
  public static void main(String[] args) throws Exception {
    try (Recording recording = RecordingDesign.valueOf(args[0]).of(1)) {
      VirtualThreads run = new VirtualThreads(recording, Integer.parseInt(args[1]));
      System.out.printf(Locale.ROOT, "%.1f ns%n", run.measure(Integer.parseInt(args[2])));
    }
  }

  /** The mean, as the system counts processor time in steps of 10 ms. */
  private double measure(int rounds) throws InterruptedException {
    double total = 0;
    for (int round = -WARM_UPS; round < rounds; round++) {
      double nanos = time(valuesPerThread) - time(0);
      total += round < 0 ? 0 : nanos;
    }
    return total / VALUES_PER_ROUND / rounds;
  }

  private long time(int valuesOfEach) throws InterruptedException {
    long start = process.getProcessCpuTime();
    Thread[] started = new Thread[Math.min(AT_ONCE, VALUES_PER_ROUND / valuesPerThread)];
    for (int value = 0; value < VALUES_PER_ROUND; value += started.length * valuesPerThread) {
      for (int i = 0; i < started.length; i++) {
        int first = value + i * valuesPerThread;
        started[i] = threads.newThread(() -> record(first, valuesOfEach));
        started[i].start();
      }
      for (Thread thread : started) {
        thread.join();
      }
    }
    return process.getProcessCpuTime() - start;
  }

  private void record(int first, int count) {
    for (int i = first; i < first + count; i++) {
      recording.record(0, VALUES[i & (VALUES.length - 1)]);
    }
  }
}
