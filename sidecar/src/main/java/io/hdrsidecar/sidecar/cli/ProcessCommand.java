package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code log process}: HistogramLogProcessor's job, with its options and its output, byte for byte
 * where that loses nothing. docs/log-tools.md lists what differs.
 */
@Command(
    name = "process",
    description =
        "Prints the percentile distribution of a log and, with -o, a table of its intervals and of"
            + " a moving window: HistogramLogProcessor's output, whose options are understood as"
            + " well.")
final class ProcessCommand extends LogTool {
  private static final double DEFAULT_RATIO = 1_000_000;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Interval logs, plain or gzipped; - is standard input, and so is no file.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = {"-i", "--input"},
      paramLabel = "FILE",
      description = "The same as FILE.")
  private List<String> inputs = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "NAME",
      description =
          "Writes the table to NAME, the distribution to NAME.hgrm, the moving window to NAME.mwp.")
  private @Nullable String outputName;

  @Option(
      names = {"--csv", "-csv"},
      description = "Tables as CSV.")
  private boolean csv;

  @Option(
      names = {"--tag", "-tag"},
      paramLabel = "TAG",
      description = "Only intervals with this tag; without it, only those without a tag.")
  private @Nullable String tag;

  @Option(
      names = {"--all-tags", "-alltags"},
      description = "All intervals, whatever their tags.")
  private boolean allTags;

  @Option(
      names = {"--list-tags", "-listtags"},
      description = "Only lists the tags.")
  private boolean listTags;

  @Mixin private TimeRangeOptions time = new TimeRangeOptions();

  @Option(
      names = {"--moving-window-percentile", "-mwp"},
      paramLabel = "P",
      description = "Writes NAME.mwp with this percentile of a moving window (default: 99).")
  private @Nullable Double windowPercentile;

  @Option(
      names = {"--moving-window-length", "-mwpl"},
      paramLabel = "MILLIS",
      description = "Length of the moving window in milliseconds (default: 60000).")
  private @Nullable Long windowMillis;

  @Option(
      names = {"--ratio", "-outputValueUnitRatio"},
      paramLabel = "N",
      defaultValue = "" + DEFAULT_RATIO,
      description = "Divides values by N: 1000000 shows nanoseconds as milliseconds.")
  private double ratio = DEFAULT_RATIO;

  @Mixin private OutputOptions output = new OutputOptions();

  ProcessCommand(LogConsole console) {
    super(console);
  }

  @Override
  void run(Messages messages) throws IOException {
    RatioOption.checked(ratio);
    List<String> names = new ArrayList<>(inputs);
    names.addAll(files);
    List<LogInput> logs = InputOptions.files(names, console());
    if (listTags) {
      listTags(logs, messages);
      return;
    }
    StartRange range = time.range();
    OmissionCorrection correction = output.correction();
    ProcessOutput.Style style =
        new ProcessOutput.Style(csv, ratio, output.ticks(), range, correction);
    MovingWindow window = window();
    try (LogMerge merge =
        new LogMerge(logs, new IntervalSelection(range, tags(), correction), messages, false)) {
      if (merge.openLogs() == 0) {
        messages.warnOfNothing(); // and what an earlier run wrote stays
        return;
      }
      try (ProcessOutput out = ProcessOutput.open(console(), outputName, logs, style, window)) {
        CommonUnit unit = new CommonUnit(null, "process them apart");
        for (LogScan scan = merge.next(); scan != null; scan = merge.next()) {
          if (unit.accepts(scan)) {
            out.add(scan, logs.size() == 1 ? scan.startSeconds() : merge.startSeconds());
          }
        }
        out.finish();
      }
    }
  }

  private Predicate<String> tags() {
    if (allTags && tag != null) {
      throw new IllegalArgumentException("--tag and --all-tags exclude each other");
    }
    String wanted = tag == null ? "" : tag;
    return allTags ? found -> true : wanted::equals;
  }

  private @Nullable MovingWindow window() {
    if (windowPercentile == null && windowMillis == null) {
      return null;
    }
    double percentile = windowPercentile == null ? 99 : windowPercentile;
    long millis = windowMillis == null ? 60_000 : windowMillis;
    if (!(percentile >= 0 && percentile <= 100) || millis < 1) {
      throw new IllegalArgumentException(
          "--moving-window-percentile must be 0 to 100 and --moving-window-length at least 1: "
              + percentile
              + ", "
              + millis);
    }
    return new MovingWindow(percentile, millis);
  }

  /** As HistogramLogProcessor prints them. */
  private void listTags(List<LogInput> logs, Messages messages) throws IOException {
    TreeSet<String> found = new TreeSet<>();
    IntervalSelection all =
        new IntervalSelection(time.range(), any -> true, OmissionCorrection.NONE);
    forEachInterval(logs, all, messages, scan -> found.add(scan.interval().tag()));
    if (found.isEmpty()) {
      messages.warnOfNothing();
      return;
    }
    try (TextOutput out = TextOutput.standard(console())) {
      out.stream().println("Tags found in input file:");
      found.forEach(name -> out.stream().println(name.isEmpty() ? "[NO TAG (default)]" : name));
    }
  }
}
