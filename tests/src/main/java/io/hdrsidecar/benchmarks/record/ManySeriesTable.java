package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.benchmarks.BenchmarkGroup;
import io.hdrsidecar.benchmarks.Effort;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** Group {@code series}: many series, shared by the threads. */
public final class ManySeriesTable implements BenchmarkGroup {
  private static final List<Integer> THREADS = List.of(1, 2);
  private static final String HEAP = "2g";

  @Override
  public String name() {
    return "series";
  }

  @Override
  public String about() {
    return "Nanoseconds a recorded value as each thread sees it (median of the iterations), when the"
        + " threads record into so many series in turn. A dash: so many have no room in a heap of"
        + " 2 GiB (a Recorder has 271 kB before its first interval), or in a file of 512 MiB.";
  }

  @Override
  public String measure(Effort effort) throws RunnerException {
    List<Integer> counts = effort.quick() ? List.of(1, 1_000) : List.of(1, 100, 1_000, 10_000);
    StringBuilder table = new StringBuilder("| design | version |");
    for (int threads : THREADS) {
      for (int series : counts) {
        table.append(String.format(Locale.ROOT, " %,d series, threads: %d |", series, threads));
      }
    }
    table.append("\n|---|---|").append("---|".repeat(THREADS.size() * counts.size())).append('\n');
    for (RecordingDesign design : RecordingDesign.values()) {
      table.append(line(design, counts, effort));
    }
    return table.toString();
  }

  private static String line(RecordingDesign design, List<Integer> counts, Effort effort)
      throws RunnerException {
    StringBuilder line = new StringBuilder(design.cells());
    for (int threads : THREADS) {
      for (int series : counts) {
        line.append(design.hasRoomFor(series) ? cell(design, series, threads, effort) : " – |");
      }
    }
    System.out.println("  " + line);
    return line.append('\n').toString();
  }

  private static String cell(RecordingDesign design, int series, int threads, Effort effort)
      throws RunnerException {
    Map<String, String> parameters =
        Map.of("design", design.name(), "series", Integer.toString(series));
    double nanos =
        Effort.median(effort.run(ManySeriesBenchmark.class, "record", threads, HEAP, parameters));
    return String.format(Locale.ROOT, " %.1f |", nanos);
  }
}
