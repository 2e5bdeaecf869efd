package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.benchmarks.BenchmarkGroup;
import io.hdrsidecar.benchmarks.Effort;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Group {@code harvest}: from recorders to encoded intervals. */
public final class HarvestTable implements BenchmarkGroup {
  private static final double MILLIS_PER_SECOND = 1000;

  @Override
  public String name() {
    return "harvest";
  }

  @Override
  public String about() {
    return "One interval, from the recorder to HdrHistogram V2, raw or deflated at level 1; beside it"
        + " Recorder.getIntervalHistogram and Histogram.encodeInto...ByteBuffer, recycling what"
        + " they allow. Then 1,000 series, as a share of one core when done each second.";
  }

  @Override
  public String measure(Effort effort) throws RunnerException {
    StringBuilder table =
        new StringBuilder("| what | values an interval | time | B/op |\n|---|---|---|---|\n");
    for (String method :
        new String[] {"oursRaw", "recorderRaw", "oursDeflated", "recorderDeflated"}) {
      for (RunResult result : effort.run(HarvestBenchmark.class, method, 1)) {
        append(table, method, result, String.format(Locale.ROOT, "%.1f us", Effort.median(result)));
      }
    }
    for (String method : new String[] {"raw", "deflated"}) {
      for (RunResult result : effort.run(FlushBenchmark.class, method, 1)) {
        double millis = Effort.median(result);
        String time =
            String.format(
                Locale.ROOT,
                "%.2f ms = %.2f %% of a core",
                millis,
                100 * millis / MILLIS_PER_SECOND);
        append(table, "1,000 series, " + method, result, time);
      }
    }
    return table.toString();
  }

  private static void append(StringBuilder table, String what, RunResult result, String time) {
    String line =
        String.format(
            Locale.ROOT,
            "| %s | %s | %s | %.0f |%n",
            what,
            result.getParams().getParam("values"),
            time,
            Effort.bytes(result));
    System.out.print("  " + line);
    table.append(line);
  }
}
