package io.hdrsidecar.benchmarks.peers.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux tells about a process. */
public final class ProcessFigures {
  /** {@code sysconf(_SC_CLK_TCK)}: Linux has shown processor time in hundredths for decades. */
  private static final double TICKS_PER_SECOND = 100;

  private ProcessFigures() {}

  /** Processor time so far of all its threads, in seconds, to a hundredth; of process 0, none. */
  public static double cpuSeconds(long pid) throws IOException {
    if (pid == 0) {
      return 0;
    }
    String stat = Files.readString(Path.of("/proc", "" + pid, "stat"));
    // After the name, which is in parentheses and may have spaces, comes field 3.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** A line of {@code /proc/<pid>/status} such as {@code VmHWM}, the peak in memory, in bytes. */
  static long memoryBytes(long pid, String line) throws IOException {
    for (String text : Files.readAllLines(Path.of("/proc", "" + pid, "status"))) {
      if (text.startsWith(line + ":")) {
        return Long.parseLong(text.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException("/proc has no " + line + " of " + pid);
  }
}
