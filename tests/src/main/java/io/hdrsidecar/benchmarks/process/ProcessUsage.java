package io.hdrsidecar.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel says of a process; memory on Linux only. */
public record ProcessUsage(long pid) {
  /**
   * Time on processors so far, all threads together, in nanoseconds, to 10 ms.
   *
   * @throws IOException when the process has ended
   */
  public long cpuNanos() throws IOException {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .orElseThrow(() -> new IOException("process " + pid + " has ended"))
        .toNanos();
  }

  /**
   * A line of {@code /proc/<pid>/status} that is in kB, such as {@code VmHWM}, the most memory it
   * had resident so far, in bytes.
   *
   * @throws IOException when there is no such line, as of a process that has ended
   */
  public long bytes(String line) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
            .filter(text -> text.startsWith(line + ":"))
            .mapToLong(text -> Long.parseLong(text.replaceAll("\\D", "")))
            .findFirst()
            .orElseThrow(() -> new IOException("/proc/" + pid + "/status has no " + line))
        << 10;
  }
}
