package io.hdrsidecar.benchmarks;

import io.hdrsidecar.benchmarks.merge.MergeTable;
import io.hdrsidecar.benchmarks.record.CrashTable;
import io.hdrsidecar.benchmarks.record.HarvestTable;
import io.hdrsidecar.benchmarks.record.ManySeriesTable;
import io.hdrsidecar.benchmarks.record.MemoryTable;
import io.hdrsidecar.benchmarks.record.RecordTable;
import io.hdrsidecar.benchmarks.record.VirtualThreadsTable;
import io.hdrsidecar.benchmarks.scrape.ScrapeTable;
import io.hdrsidecar.benchmarks.scrape.StallTable;
import io.hdrsidecar.benchmarks.scrape.WindowsTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.RunnerException;

/**
 * {@code benchmarks.jar [--quick] [--output FILE] GROUP...}: measures the groups, prints their
 * tables and appends them to the results file (not with {@code --quick}, unless a file is named).
 */
public final class BenchmarksMain {
  private static final List<BenchmarkGroup> GROUPS =
      List.of(
          new RecordTable(),
          new ManySeriesTable(),
          new VirtualThreadsTable(),
          new HarvestTable(),
          new CrashTable(),
          new MergeTable(),
          new MemoryTable(),
          new ScrapeTable(),
          new StallTable(),
          new WindowsTable());

  private BenchmarksMain() {}

  /** See the class. Ends with 2 when the arguments make no sense. */
  public static void main(String[] args) throws RunnerException, IOException {
    List<String> names = new ArrayList<>();
    boolean quick = false;
    Path output = null;
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--quick")) {
        quick = true;
      } else if (args[i].equals("--output") && i + 1 < args.length) {
        output = Path.of(args[++i]);
      } else {
        names.add(args[i]);
      }
    }
    List<BenchmarkGroup> groups =
        GROUPS.stream().filter(group -> names.contains(group.name())).toList();
    if (names.isEmpty() || groups.size() < names.size()) {
      usage(System.err);
      System.exit(2);
    }
    String command = "java -jar tests/target/benchmarks.jar " + String.join(" ", args);
    ResultsFile results = new ResultsFile(command);
    for (BenchmarkGroup group : groups) {
      System.out.println(group.name() + ": " + group.about());
      results.add(group, group.measure(new Effort(quick)));
    }
    System.out.println(results);
    if (output == null && !quick) {
      output = ResultsFile.besideTheJar();
    }
    if (output != null) {
      results.appendTo(output);
      System.out.println("appended to " + output);
    }
  }

  private static void usage(PrintStream out) {
    String names = GROUPS.stream().map(BenchmarkGroup::name).collect(Collectors.joining("|"));
    out.println("usage: benchmarks.jar [--quick] [--output FILE] " + names + " ...");
    GROUPS.forEach(group -> out.println("  " + group.name() + ": " + group.about()));
  }
}
