package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.benchmarks.BenchmarkGroup;
import io.hdrsidecar.benchmarks.Effort;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Group {@code crash}: counters in a file that outlives the process, beside those on the heap. */
public final class CrashTable implements BenchmarkGroup {
  @Override
  public String name() {
    return "crash";
  }

  @Override
  public String about() {
    return "What recording that outlives the process costs, beside the heap: nanoseconds a recorded"
        + " value as each thread sees it (median of the iterations), and microseconds a harvest of"
        + " so many values.";
  }

  @Override
  public String measure(Effort effort) throws RunnerException {
    StringBuilder table =
        new StringBuilder("| what | counters | time | B/op |\n|---|---|---|---|\n");
    for (int threads : List.of(1, 2)) {
      String what = "record, threads: " + threads;
      for (RunResult result : effort.run(CrashBenchmark.class, "record", threads)) {
        append(table, what, result, "%.1f ns");
      }
    }
    for (RunResult result : effort.run(CrashHarvestBenchmark.class, "harvest", 1)) {
      append(table, "harvest, values: " + result.getParams().getParam("values"), result, "%.1f us");
    }
    return table.toString();
  }

  private static void append(StringBuilder table, String what, RunResult result, String format) {
    String line =
        String.format(
            Locale.ROOT,
            "| %s | %s | " + format + " | %.0f |%n",
            what,
            result.getParams().getParam("counters").toLowerCase(Locale.ROOT),
            Effort.median(result),
            Effort.bytes(result));
    System.out.print("  " + line);
    table.append(line);
  }
}
