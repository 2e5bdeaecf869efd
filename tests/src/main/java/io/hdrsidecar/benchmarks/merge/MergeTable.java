package io.hdrsidecar.benchmarks.merge;

import io.hdrsidecar.benchmarks.BenchmarkGroup;
import io.hdrsidecar.benchmarks.Effort;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Group {@code merge}: from the bytes of an interval to the counts of its series. */
public final class MergeTable implements BenchmarkGroup {
  @Override
  public String name() {
    return "merge";
  }

  @Override
  public String about() {
    return "One interval of 3 digits, from its bytes to the counts of its series: ours beside"
        + " HdrHistogram's decodeFrom(Compressed)ByteBuffer and add. Then whole frames with their"
        + " checks, merged as the sidecar does, an interval a second for each of 256 series.";
  }

  @Override
  public String measure(Effort effort) throws RunnerException {
    StringBuilder table =
        new StringBuilder(
            """
            | non-zero buckets | payload | ours | B | HdrHistogram | B | times |
            |---|---|---|---|---|---|---|
            """);
    Map<String, RunResult> theirs = new HashMap<>();
    for (RunResult result : effort.run(MergeBenchmark.class, "hdrHistogram", 1)) {
      theirs.put(parameters(result), result);
    }
    for (RunResult ours : effort.run(MergeBenchmark.class, "decodeAndAdd", 1)) {
      RunResult their = Objects.requireNonNull(theirs.get(parameters(ours)));
      append(
          table,
          "| %s | %s | %.2f us | %.0f | %.1f us | %.0f | %.1f |%n",
          ours.getParams().getParam("buckets"),
          Boolean.parseBoolean(ours.getParams().getParam("deflated")) ? "deflated" : "raw",
          Effort.median(ours),
          Effort.bytes(ours),
          Effort.median(their),
          Effort.bytes(their),
          Effort.median(their) / Effort.median(ours));
    }
    table.append("\n| non-zero buckets | fed | a frame | B | frames a second of one core |\n");
    table.append("|---|---|---|---|---|\n");
    for (RunResult frame : effort.run(StoreBenchmark.class, "merge", 1)) {
      append(
          table,
          "| %s | %s | %.2f us | %.0f | %.0f |%n",
          frame.getParams().getParam("buckets"),
          frame.getParams().getParam("feeds"),
          Effort.median(frame),
          Effort.bytes(frame),
          1e6 / Effort.median(frame));
    }
    return table.toString();
  }

  private static String parameters(RunResult result) {
    return result.getParams().getParam("buckets") + result.getParams().getParam("deflated");
  }

  private static void append(StringBuilder table, String format, Object... figures) {
    String line = String.format(Locale.ROOT, format, figures);
    System.out.print("  " + line);
    table.append(line);
  }
}
