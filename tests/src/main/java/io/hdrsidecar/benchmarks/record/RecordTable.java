package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.benchmarks.BenchmarkGroup;
import io.hdrsidecar.benchmarks.Effort;
import io.hdrsidecar.benchmarks.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Group {@code record}: one recorder, shared by the threads. */
public final class RecordTable implements BenchmarkGroup {
  /**
   * One line of the table.
   *
   * @param library key of its version, or empty for the JDK
   */
  private record Design(String label, String library, Class<?> benchmark, String method) {}

  private static final Design OURS =
      new Design("**hdr-sidecar SeriesRecorder**", "hdrsidecar", OursBenchmark.class, "record");

  private static final List<Design> DESIGNS =
      List.of(
          OURS,
          hdr("HdrHistogram Recorder, fixed range", "fixed"),
          hdr("HdrHistogram Recorder, auto-resize", "auto"),
          hdr("HdrHistogram SingleWriterRecorder in a ThreadLocal", "perThread"),
          micrometer("Micrometer Timer, percentiles", "percentiles"),
          micrometer("Micrometer Timer, percentile histogram", "percentileHistogram"),
          library("Prometheus native histogram", "prometheus", "prometheusNative"),
          library("Prometheus classic histogram", "prometheus", "prometheusClassic"),
          openTelemetry("OpenTelemetry exponential histogram", "exponential"),
          openTelemetry("OpenTelemetry explicit histogram", "explicit"),
          library("DDSketch, synchronized", "ddsketch", "ddSketch"),
          library("Spectator PercentileTimer", "spectator", "spectator"),
          new Design("*LongAdder.add*", "", BaselineBenchmark.class, "longAdder"),
          new Design("*System.nanoTime*", "", BaselineBenchmark.class, "nanoTime"));

  private static Design hdr(String label, String method) {
    return new Design(label, "hdrhistogram", HdrHistogramBenchmark.class, method);
  }

  private static Design micrometer(String label, String method) {
    return new Design(label, "micrometer", MicrometerBenchmark.class, method);
  }

  private static Design openTelemetry(String label, String method) {
    return new Design(label, "opentelemetry", OpenTelemetryBenchmark.class, method);
  }

  private static Design library(String label, String library, String method) {
    return new Design(label, library, MetricsLibrariesBenchmark.class, method);
  }

  @Override
  public String name() {
    return "record";
  }

  @Override
  public String about() {
    return "Nanoseconds of a processor a recorded value, which is what each thread sees while it has"
        + " one for itself (median of the iterations), in brackets the multiple of ours; bytes"
        + " allocated a value, on one thread.";
  }

  /** What one design costs; nanoseconds at each thread count. */
  private static final class Cost {
    private final List<Double> nanos = new ArrayList<>();
    private double bytes;
  }

  @Override
  public String measure(Effort effort) throws RunnerException {
    List<Cost> costs = DESIGNS.stream().map(design -> new Cost()).toList();
    for (int threads : effort.threadCounts()) {
      for (int i = 0; i < DESIGNS.size(); i++) {
        measure(DESIGNS.get(i), costs.get(i), threads, effort);
      }
    }
    return table(costs, effort.threadCounts());
  }

  private static void measure(Design design, Cost cost, int threads, Effort effort)
      throws RunnerException {
    RunResult result = effort.runTogether(design.benchmark(), design.method(), threads);
    double nanos = Math.min(threads, Effort.PROCESSORS) / Effort.median(result);
    cost.nanos.add(nanos);
    if (threads == 1) {
      cost.bytes = Effort.bytes(result);
    }
    System.out.printf(Locale.ROOT, "  %d threads, %s: %.1f ns%n", threads, design.label(), nanos);
  }

  private static String table(List<Cost> costs, List<Integer> threadCounts) {
    StringBuilder table = new StringBuilder("| design | version |");
    threadCounts.forEach(
        threads -> table.append(threads == 1 ? " 1 thread |" : " " + threads + " threads |"));
    table.append(" B/op |\n|---|---|").append("---|".repeat(threadCounts.size() + 1)).append("\n");
    Cost ours = costs.get(DESIGNS.indexOf(OURS));
    for (int i = 0; i < DESIGNS.size(); i++) {
      appendLine(table, DESIGNS.get(i), costs.get(i), ours);
    }
    return table.toString();
  }

  private static void appendLine(StringBuilder table, Design design, Cost cost, Cost ours) {
    String version = design.library().isEmpty() ? "JDK" : Versions.of(design.library());
    table.append("| ").append(design.label()).append(" | ").append(version).append(" |");
    for (int i = 0; i < cost.nanos.size(); i++) {
      double nanos = cost.nanos.get(i);
      table.append(String.format(Locale.ROOT, " %.1f (%.1f×) |", nanos, nanos / ours.nanos.get(i)));
    }
    table.append(String.format(Locale.ROOT, " %.1f |%n", cost.bytes));
  }
}
