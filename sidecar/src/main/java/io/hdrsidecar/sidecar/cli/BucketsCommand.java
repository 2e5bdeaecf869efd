package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code log buckets}: what was counted, as it was counted. */
@Command(
    name = "buckets",
    description =
        "Prints a row of CSV for each bucket that has counts: tag, lowest and highest value, both"
            + " included, and count. Buckets of different precision are rows of their own, as in"
            + " the API's buckets=true.")
final class BucketsCommand extends LogTool {
  private static final String ADVICE = "list them apart, or say --unit if all have the same";

  @Mixin private InputOptions inputs = new InputOptions();
  @Mixin private SelectionOptions selection = new SelectionOptions();

  @Option(names = "--all-tags", description = "One list for all selected tags together.")
  private boolean allTags;

  @Mixin private RatioOption ratio = new RatioOption();
  @Mixin private UnitOption unit = new UnitOption();

  BucketsCommand(LogConsole console) {
    super(console);
  }

  @Override
  void run(Messages messages) throws IOException {
    double divisor = ratio.value();
    Unit ofValues = unit.given();
    Map<String, ValueCounts> tags = new TreeMap<>();
    Map<String, CommonUnit> units = new HashMap<>();
    forEachInterval(
        inputs.files(console()),
        selection.selection(OmissionCorrection.NONE),
        messages,
        scan -> {
          String tag = allTags ? "" : scan.interval().tag();
          if (units.computeIfAbsent(tag, key -> new CommonUnit(ofValues, ADVICE)).accepts(scan)) {
            tags.computeIfAbsent(tag, key -> ValueCounts.like(scan.entry())).addOrRefuse(scan);
          }
        });
    if (tags.isEmpty()) {
      messages.warnOfNothing();
      return;
    }
    try (TextOutput out = TextOutput.standard(console())) {
      out.stream().println("Tag,Lowest,Highest,Count");
      tags.forEach((tag, counts) -> print(out.stream(), tag, counts, divisor));
    }
  }

  private static void print(PrintStream out, String tag, ValueCounts counts, double divisor) {
    String cell = CsvCommand.quoted(tag);
    counts.forEach(
        (lowest, highest, count) ->
            out.println(
                cell
                    + ","
                    + NumberText.value(lowest, divisor)
                    + ","
                    + NumberText.value(highest, divisor)
                    + ","
                    + count));
  }
}
