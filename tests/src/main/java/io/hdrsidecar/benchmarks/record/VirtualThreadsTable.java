package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.benchmarks.BenchmarkGroup;
import io.hdrsidecar.benchmarks.Effort;
import io.hdrsidecar.benchmarks.process.Launch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Group {@code virtual}: virtual threads that record a few values and end. */
public final class VirtualThreadsTable implements BenchmarkGroup {
  @Override
  public String name() {
    return "virtual";
  }

  @Override
  public String about() {
    return "Nanoseconds of processor time a recorded value, when a new virtual thread records each"
        + " so many of them into one series, and ends; less those of as many threads that record"
        + " nothing.";
  }

  @Override
  public String measure(Effort effort) {
    StringBuilder table =
        new StringBuilder("| design | version | 10 values | 1,000 values |\n|---|---|---|---|\n");
    for (RecordingDesign design : RecordingDesign.values()) {
      String line = design.cells();
      for (int values : List.of(10, 1_000)) {
        line += " " + (VirtualThreads.arePresent() ? run(design, values, effort) : "needs JDK 21");
        line += " |";
      }
      System.out.println("  " + line);
      table.append(line).append('\n');
    }
    return table.toString();
  }

  /** In a JVM of its own, which compiles for this design alone. */
  private static String run(RecordingDesign design, int values, Effort effort) {
    List<String> arguments =
        List.of(design.name(), Integer.toString(values), effort.quick() ? "1" : "7");
    try {
      Process process =
          Launch.builder(Launch.program(List.of("-Xmx1g"), VirtualThreads.class, arguments))
              .start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }
}
