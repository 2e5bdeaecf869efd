package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code log diff}: two logs, or two selections of one, percentile by percentile. */
@Command(
    name = "diff",
    description =
        "Compares two logs, or two selections of one, percentile by percentile, and says whether"
            + " both have the same counts in the same buckets. All tags count unless one is named.")
final class DiffCommand extends LogTool {
  @Parameters(index = "0", paramLabel = "A", description = "An interval log; - is standard input.")
  private String first = "-";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "B",
      description = "Another (default: A, for two selections of it).")
  private @Nullable String second;

  @Option(names = "--a-tag", paramLabel = "REGEX", description = "Of A, only these tags.")
  private @Nullable String firstTag;

  @Option(names = "--b-tag", paramLabel = "REGEX", description = "Of B, only these tags.")
  private @Nullable String secondTag;

  @Option(
      names = "--a-start",
      paramLabel = "TIME",
      converter = TimeBound.Converter.class,
      description = "Of A, what starts at this time or later; as for summarize.")
  private @Nullable TimeBound firstStart;

  @Option(
      names = "--a-end",
      paramLabel = "TIME",
      converter = TimeBound.Converter.class,
      description = "Of A, what starts at this time or earlier.")
  private @Nullable TimeBound firstEnd;

  @Option(
      names = "--b-start",
      paramLabel = "TIME",
      converter = TimeBound.Converter.class,
      description = "Of B, what starts at this time or later.")
  private @Nullable TimeBound secondStart;

  @Option(
      names = "--b-end",
      paramLabel = "TIME",
      converter = TimeBound.Converter.class,
      description = "Of B, what starts at this time or earlier.")
  private @Nullable TimeBound secondEnd;

  @Option(
      names = "--percentiles",
      paramLabel = "LIST",
      defaultValue = "0,25,50,75,90,95,99,99.9,99.99,99.999,100",
      description = "Which percentiles are compared (default: ${DEFAULT-VALUE}).")
  private String percentiles = "";

  @Mixin private RatioOption ratio = new RatioOption();

  DiffCommand(LogConsole console) {
    super(console);
  }

  @Override
  void run(Messages messages) throws IOException {
    double divisor = ratio.value();
    List<Double> shown = NumberText.percentiles(percentiles);
    String other = second == null ? first : second;
    if (first.equals("-") && other.equals("-")) {
      throw new IllegalArgumentException("-: standard input can be read once only");
    }
    CommonUnit unit = new CommonUnit(null, "compare logs of one unit");
    StartRange ofFirst = new StartRange(firstStart, firstEnd);
    StartRange ofSecond = new StartRange(secondStart, secondEnd);
    ValueCounts a = read(first, ofFirst, tags(firstTag), unit, messages);
    ValueCounts b = read(other, ofSecond, tags(secondTag), unit, messages);
    if (a == null || b == null) {
      String missing = a != null ? "B has" : b != null ? "A has" : "A and B have";
      messages.warn("nothing to compare: " + missing + " no interval");
      return;
    }
    try (TextOutput out = TextOutput.standard(console())) {
      print(out.stream(), a, b, shown, divisor);
    }
  }

  private static Predicate<String> tags(@Nullable String expression) {
    return expression == null ? TagFilter.ALL : TagFilter.of(List.of(expression), List.of());
  }

  /** Null when nothing is selected, which has been told then. */
  private @Nullable ValueCounts read(
      String name, StartRange range, Predicate<String> tags, CommonUnit unit, Messages messages)
      throws IOException {
    List<ValueCounts> read = new ArrayList<>();
    forEachInterval(
        InputOptions.files(List.of(name), console()),
        new IntervalSelection(range, tags, OmissionCorrection.NONE),
        messages,
        scan -> {
          if (unit.accepts(scan)) {
            if (read.isEmpty()) {
              read.add(ValueCounts.like(scan.entry()));
            }
            read.get(0).addOrRefuse(scan);
          }
        });
    if (read.isEmpty()) {
      messages.warnOfNothing();
      return null;
    }
    return read.get(0);
  }

  private static void print(
      PrintStream out, ValueCounts a, ValueCounts b, List<Double> shown, double divisor) {
    out.printf("%-12s %16s %16s %10s%n", "", "A", "B", "B/A");
    row(out, "count", "" + a.count(), "" + b.count(), (double) a.count(), (double) b.count());
    valueRow(out, "mean", a.mean(), b.mean(), divisor);
    for (double percentile : shown) {
      valueRow(
          out,
          NumberText.percentile(percentile) + " %",
          a.valueAtPercentile(percentile),
          b.valueAtPercentile(percentile),
          divisor);
    }
    valueRow(out, "max", a.maximum(), b.maximum(), divisor);
    out.println(
        a.hasSameBucketsAs(b)
            ? "same buckets: every value has the same count in both"
            : "different buckets");
  }

  private static void valueRow(PrintStream out, String name, double a, double b, double divisor) {
    row(out, name, NumberText.value(a, divisor), NumberText.value(b, divisor), a, b);
  }

  private static void row(PrintStream out, String name, String a, String b, double x, double y) {
    String quotient = x == 0 ? "-" : String.format(Locale.ROOT, "%.4f", y / x);
    out.printf("%-12s %16s %16s %10s%n", name, a, b, quotient);
  }
}
