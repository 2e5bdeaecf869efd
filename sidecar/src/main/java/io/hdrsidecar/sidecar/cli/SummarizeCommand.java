package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code log summarize}: many intervals, of one log or many, as one result for each tag. */
@Command(
    name = "summarize",
    description = "Adds up the intervals of logs, for each tag, and shows percentiles.")
final class SummarizeCommand extends LogTool {
  /** What the options say, checked. */
  private record SummaryStyle(
      double ratio, OmissionCorrection correction, List<Double> percentiles, int ticks) {}

  @Mixin private InputOptions inputs = new InputOptions();
  @Mixin private SelectionOptions selection = new SelectionOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      defaultValue = "percentiles",
      description =
          "percentiles; hgrm: the percentile distribution that HdrHistogram's plotters read; csv:"
              + " the same as CSV; buckets: counts of ranges of equal width as CSV (default:"
              + " ${DEFAULT-VALUE}).")
  private SummaryFormat format = SummaryFormat.PERCENTILES;

  @Option(names = "--all-tags", description = "One result for all selected tags together.")
  private boolean allTags;

  @Option(
      names = "--percentiles",
      paramLabel = "LIST",
      defaultValue = "50,90,99,99.9,99.99,99.999",
      description = "Which percentiles the format of that name shows (default: ${DEFAULT-VALUE}).")
  private String percentiles = "";

  @Option(
      names = "--bucket-size",
      paramLabel = "WIDTH",
      defaultValue = "100",
      description =
          "Width of the ranges of --format buckets, after the division by --ratio (default:"
              + " ${DEFAULT-VALUE}).")
  private double bucketSize;

  @Mixin private RatioOption ratio = new RatioOption();

  @Mixin private UnitOption unit = new UnitOption();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "NAME",
      description =
          "Writes a file for each result instead: NAME.hgrm, and NAME.TAG.hgrm for a tag.")
  private @Nullable String outputName;

  SummarizeCommand(LogConsole console) {
    super(console);
  }

  @Override
  void run(Messages messages) throws IOException {
    double divisor = ratio.value();
    Unit ofValues = unit.given();
    int ticks = output.ticks();
    if (!(bucketSize > 0)) {
      throw new IllegalArgumentException("--bucket-size must be more than 0: " + bucketSize);
    }
    List<Double> shown = NumberText.percentiles(percentiles);
    OmissionCorrection correction = output.correction();
    List<LogInput> files = inputs.files(console());
    Map<String, Summary> results = new TreeMap<>();
    forEachInterval(
        files,
        selection.selection(correction),
        messages,
        scan -> {
          String tag = allTags ? "" : scan.interval().tag();
          results.computeIfAbsent(tag, key -> new Summary(key, scan.entry(), ofValues)).add(scan);
        });
    if (results.isEmpty()) {
      messages.warnOfNothing();
    }
    print(results, new SummaryStyle(divisor, correction, shown, ticks), files);
  }

  private void print(Map<String, Summary> results, SummaryStyle style, List<LogInput> files)
      throws IOException {
    if (outputName == null) {
      try (TextOutput out = TextOutput.standard(console())) {
        boolean tagged = results.size() > 1 && format != SummaryFormat.PERCENTILES;
        for (Summary summary : results.values()) {
          if (tagged || (!summary.tag().isEmpty() && format == SummaryFormat.HGRM)) {
            out.stream().println(tagLine(summary));
          }
          print(out.stream(), summary, style);
        }
      }
      return;
    }
    for (Summary summary : results.values()) {
      String tag = summary.tag().isEmpty() ? "" : "." + TagFileName.of(summary.tag());
      String name = outputName + tag + "." + format.extension();
      try (TextOutput out = TextOutput.file(name, files)) {
        print(out.stream(), summary, style);
      }
    }
  }

  private static String tagLine(Summary summary) {
    return summary.tag().isEmpty() ? "#[No tag]" : "#[Tag: " + summary.tag() + "]";
  }

  private void print(PrintStream out, Summary summary, SummaryStyle style) {
    if (!style.correction().isNone()) {
      out.println("#[" + style.correction().label() + "]");
    }
    switch (format) {
      case PERCENTILES -> summary.printPercentiles(out, style.ratio(), style.percentiles());
      case HGRM -> summary.printDistribution(out, style.ratio(), style.ticks(), false);
      case CSV -> summary.printDistribution(out, style.ratio(), style.ticks(), true);
      case BUCKETS -> summary.printBuckets(out, style.ratio(), bucketSize);
    }
  }
}
