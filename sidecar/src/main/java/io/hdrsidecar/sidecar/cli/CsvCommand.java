package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code log csv}: a row for each interval. */
@Command(
    name = "csv",
    description =
        "Prints a row of CSV for each interval: tag, start (seconds since 1970), length (seconds), "
            + "count, count a second, minimum, mean, percentiles and maximum.")
final class CsvCommand extends LogTool {
  private static final String ADVICE = "list them apart, or say --unit if all have the same";

  @Mixin private InputOptions inputs = new InputOptions();
  @Mixin private SelectionOptions selection = new SelectionOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Option(
      names = "--percentiles",
      paramLabel = "LIST",
      defaultValue = "50,90,95,99,99.9,99.99",
      description = "A column for each of these percentiles (default: ${DEFAULT-VALUE}).")
  private String percentiles = "";

  @Mixin private RatioOption ratio = new RatioOption();
  @Mixin private UnitOption unit = new UnitOption();

  CsvCommand(LogConsole console) {
    super(console);
  }

  @Override
  void run(Messages messages) throws IOException {
    double divisor = ratio.value();
    List<Double> columns = NumberText.percentiles(percentiles);
    OmissionCorrection correction = output.correction();
    CommonUnit ofRows = new CommonUnit(unit.given(), ADVICE);
    long[] rows = {0};
    try (TextOutput out = TextOutput.standard(console())) {
      if (!correction.isNone()) {
        out.stream().println("#[" + correction.label() + "]");
      }
      printHeader(out.stream(), columns);
      forEachInterval(
          inputs.files(console()),
          selection.selection(correction),
          messages,
          scan -> {
            if (ofRows.accepts(scan)) {
              printRow(out.stream(), scan, columns, divisor);
              rows[0]++;
            }
          });
    }
    if (rows[0] == 0) {
      messages.warnOfNothing();
    }
  }

  private static void printHeader(PrintStream out, List<Double> columns) {
    out.print("Tag,Start,Length,Count,Throughput,Min,Mean");
    columns.forEach(percentile -> out.print(",p" + NumberText.percentile(percentile)));
    out.println(",Max");
  }

  private static void printRow(
      PrintStream out, LogScan scan, List<Double> columns, double divisor) {
    ValueCounts counts = ValueCounts.like(scan.entry());
    counts.add(scan.entry());
    double start = scan.interval().startMillis() / 1000.0;
    double length = (scan.interval().endMillis() - scan.interval().startMillis()) / 1000.0;
    String throughput =
        length > 0 ? String.format(Locale.ROOT, "%.2f", counts.count() / length) : "";
    out.printf(
        Locale.ROOT,
        "%s,%.3f,%.3f,%d,%s,%s,%.3f",
        quoted(scan.interval().tag()),
        start,
        length,
        counts.count(),
        throughput,
        NumberText.value(counts.minimum(), divisor),
        counts.mean() / divisor);
    for (double percentile : columns) {
      out.print("," + NumberText.value(counts.valueAtPercentile(percentile), divisor));
    }
    out.println("," + NumberText.value(counts.maximum(), divisor));
  }

  /** A tag has no comma and no line end, but it may have quotes. */
  static String quoted(String tag) {
    return tag.contains("\"") ? '"' + tag.replace("\"", "\"\"") + '"' : tag;
  }
}
