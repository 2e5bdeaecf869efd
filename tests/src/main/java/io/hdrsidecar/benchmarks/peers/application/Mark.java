package io.hdrsidecar.benchmarks.peers.application;

import io.hdrsidecar.benchmarks.process.ProcessUsage;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * How far an application was at one moment. It looks at both processes itself, since on a busy
 * machine somebody else would look later.
 *
 * @param events recorded so far
 * @param nanos on its own clock
 * @param cpuSeconds of its own so far
 * @param besideCpuSeconds of the process beside it so far
 */
public record Mark(long events, long nanos, double cpuSeconds, double besideCpuSeconds) {
  static Mark now(long events, long besidePid) {
    try {
      return new Mark(
          events,
          System.nanoTime(),
          cpuSeconds(ProcessHandle.current().pid()),
          besidePid == 0 ? 0 : cpuSeconds(besidePid));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double cpuSeconds(long pid) throws IOException {
    return new ProcessUsage(pid).cpuNanos() / 1e9;
  }

  /** Reads {@link #toString}. */
  public static Mark parse(String text) {
    String[] fields = text.split(" ", -1);
    return new Mark(
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Double.parseDouble(fields[2]),
        Double.parseDouble(fields[3]));
  }

  @Override
  public String toString() {
    return events + " " + nanos + " " + cpuSeconds + " " + besideCpuSeconds;
  }
}
