package io.hdrsidecar.benchmarks.logtools;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.benchmarks.process.ProcessUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
  static MeasuredProcess run(
      Path output, List<String> jvmOptions, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = Launch.program(jvmOptions, main, arguments);
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long peak = 0;
    Duration cpu = Duration.ZERO;
    while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      peak = Math.max(peak, peakKib(process.pid()));
      cpu = process.info().totalCpuDuration().orElse(cpu);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (process.exitValue() != 0) {
      throw new IOException(command + " ended with " + process.exitValue());
    }
    return new MeasuredProcess(seconds, cpu.toNanos() / 1e9, peak, Files.readAllLines(output));
  }

  /** The kernel keeps the peak, so how often it is looked at hardly matters; 0 without Linux. */
  private static long peakKib(long pid) {
    try {
      return new ProcessUsage(pid).bytes("VmHWM") >> 10;
    } catch (IOException e) {
      return 0; // it has just ended
    }
  }
}
