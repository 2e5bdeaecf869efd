package io.hdrsidecar.benchmarks.logtools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of a Java program as a process of its own.
 *
 * @param seconds from start to end, the start of the JVM included
 * @param cpuSeconds time on processors, all threads together, less what came after the last look
 * @param peakKib most memory it ever had resident, of all kinds, in KiB
 * @param output what it printed
 */
record MeasuredProcess(double seconds, double cpuSeconds, long peakKib, List<String> output) {
  private static final long POLL_MILLIS = 20;

  /** Runs a main class of this process's class path. */
  static MeasuredProcess run(Path output, List<String> jvmOptions, List<String> mainAndArguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(mainAndArguments);
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long peak = 0;
    Duration cpu = Duration.ZERO;
    while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      peak = Math.max(peak, residentPeakKib(process.pid()));
      cpu = process.info().totalCpuDuration().orElse(cpu);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (process.exitValue() != 0) {
      throw new IOException(mainAndArguments + " ended with " + process.exitValue());
    }
    return new MeasuredProcess(seconds, cpu.toNanos() / 1e9, peak, Files.readAllLines(output));
  }

  /** The kernel keeps the peak, so how often it is looked at hardly matters; 0 without Linux. */
  private static long residentPeakKib(long pid) throws IOException {
    try {
      return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (NoSuchFileException e) {
      return 0; // it has just ended
    }
  }
}
