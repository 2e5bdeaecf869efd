package io.hdrsidecar.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel says of a process; memory on Linux only. */
record ProcessFigures(long pid) {
  /** Time on processors, all threads together, to 10 ms. */
  long cpuNanos() {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .orElseThrow(() -> new IllegalStateException("process " + pid + " has ended"))
        .toNanos();
  }

  /** A line of {@code /proc/<pid>/status} that is in kB, such as {@code RssAnon}, in MiB. */
  double mib(String line) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
            .filter(text -> text.startsWith(line + ":"))
            .mapToLong(text -> Long.parseLong(text.replaceAll("\\D", "")))
            .findFirst()
            .orElseThrow(() -> new IOException("/proc/" + pid + "/status has no " + line))
        / 1024.0;
  }

  /** Load average of the machine over a minute. */
  static String load() throws IOException {
    String all = Files.readString(Path.of("/proc/loadavg"));
    return all.substring(0, all.indexOf(' '));
  }
}
