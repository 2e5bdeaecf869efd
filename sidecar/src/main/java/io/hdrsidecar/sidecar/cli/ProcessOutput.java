package io.hdrsidecar.sidecar.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of {@code log process}, in HistogramLogProcessor's format.
 *
 * <p>Source: HdrHistogram 2.2.2, {@code HistogramLogProcessor.run}; the tests run it beside this
 * and compare bytes.
 */
final class ProcessOutput implements Closeable {
  private static final String TEXT_ROW =
      "%4.3f: I:%d ( %7.3f %7.3f %7.3f ) T:%d ( %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f )\n";
  private static final String CSV_ROW = "%.3f,%d,%.3f,%.3f,%.3f,%d,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n";
  private static final String TEXT_LEGEND =
      "Time: IntervalPercentiles:count ( 50% 90% Max )"
          + " TotalPercentiles:count ( 50% 90% 99% 99.9% 99.99% Max )";
  private static final String CSV_LEGEND =
      "\"Timestamp\",\"Int_Count\",\"Int_50%\",\"Int_90%\",\"Int_Max\",\"Total_Count\",\"Total_50%\","
          + "\"Total_90%\",\"Total_99%\",\"Total_99.9%\",\"Total_99.99%\",\"Total_Max\"";

  /** As {@code java.util.Date} prints itself. */
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss zzz yyyy", Locale.US);

  /**
   * How to print.
   *
   * @param ratio values are divided by it
   * @param ticks steps of the distribution for each halved distance to 100 %
   * @param range what was selected
   */
  record Style(
      boolean csv, double ratio, int ticks, StartRange range, OmissionCorrection correction) {}

  private final Style style;
  private final TextOutput distribution;
  private final @Nullable TextOutput table;
  private final @Nullable TextOutput windowTable;
  private final @Nullable MovingWindow window;
  private @Nullable ValueCounts total;
  private boolean startTold;

  private ProcessOutput(
      Style style,
      TextOutput distribution,
      @Nullable TextOutput table,
      @Nullable TextOutput windowTable,
      @Nullable MovingWindow window) {
    this.style = style;
    this.distribution = distribution;
    this.table = table;
    this.windowTable = windowTable;
    this.window = window;
  }

  /**
   * Opens the files.
   *
   * @param name null for the distribution alone, on standard output
   * @throws IOException with a message for people
   */
  static ProcessOutput open(
      LogConsole console,
      @Nullable String name,
      List<LogInput> inputs,
      Style style,
      @Nullable MovingWindow window)
      throws IOException {
    if (name == null) {
      TextOutput out = TextOutput.standard(console);
      printCorrection(out.stream(), style);
      return new ProcessOutput(style, out, null, null, null);
    }
    TextOutput table = TextOutput.file(name, inputs);
    printRange(table.stream(), "Interval percentile log", style);
    TextOutput distribution = TextOutput.file(name + ".hgrm", inputs);
    printRange(distribution.stream(), "Overall percentile distribution", style);
    TextOutput windowTable = null;
    if (window != null) {
      windowTable = TextOutput.file(name + ".mwp", inputs);
      String title = "Moving window log for " + window.percentile() + " percentile";
      printRange(windowTable.stream(), title, style);
    }
    return new ProcessOutput(style, distribution, table, windowTable, window);
  }

  private static void printRange(PrintStream out, String title, Style style) {
    TimeBound start = style.range().start();
    TimeBound end = style.range().end();
    boolean absolute = (start != null && start.absolute()) || (end != null && end.absolute());
    out.printf(
        Locale.ROOT,
        "#[%s between %s and %s seconds (%s)]\n",
        title,
        start == null ? (absolute ? "<Beginning>" : "0.000") : bound(start, absolute),
        end == null ? "<Infinite>" : bound(end, absolute),
        absolute ? "@ since epoch, others relative to StartTime" : "relative to StartTime");
    printCorrection(out, style);
  }

  private static String bound(TimeBound bound, boolean marked) {
    String at = marked && bound.absolute() ? "@" : "";
    return at + String.format(Locale.ROOT, "%.3f", bound.seconds());
  }

  private static void printCorrection(PrintStream out, Style style) {
    if (!style.correction().isNone()) {
      out.print("#[" + style.correction().label() + "]\n");
    }
  }

  /**
   * Adds the scan's interval, or leaves it out with a warning.
   *
   * @param logStart what the times in the tables count from, seconds since the epoch
   */
  void add(LogScan scan, double logStart) throws IOException {
    LogEntry entry = scan.entry();
    ValueCounts all = total;
    if (all == null) {
      all = ValueCounts.like(entry);
      total = all;
    }
    if (!all.addOrRefuse(scan)) {
      return;
    }
    tellStart(logStart);
    // HistogramLogProcessor's times: whole milliseconds, cut off.
    long endMillis = (long) (scan.interval().endSeconds() * 1000.0);
    double time = endMillis / 1000.0 - logStart;
    if (table != null) {
      printRow(table.stream(), time, entry, all);
    }
    if (windowTable != null && window != null) {
      printWindowRow(windowTable.stream(), time, window.add(entry, endMillis));
    }
  }

  private void tellStart(double logStart) {
    if (startTold) {
      return;
    }
    startTold = true;
    if (logStart != 0) {
      printStart(distribution.stream(), logStart);
    }
    if (table != null) {
      if (logStart != 0) {
        printStart(table.stream(), logStart);
      }
      table.stream().println(style.csv() ? CSV_LEGEND : TEXT_LEGEND);
    }
    if (windowTable != null && window != null) {
      windowTable.stream()
          .println(
              style.csv()
                  ? "\"Timestamp\",\"Window_Count\",\"" + window.percentile() + "%'ile\",\"Max\""
                  : "Time: WindowCount " + window.percentile() + "%'ile Max");
    }
  }

  private static void printStart(PrintStream out, double seconds) {
    Instant start = Instant.ofEpochMilli((long) (seconds * 1000));
    out.printf(
        Locale.ROOT,
        "#[StartTime: %.3f (seconds since epoch), %s]\n",
        seconds,
        DATE.format(start.atZone(ZoneId.systemDefault())));
  }

  private void printRow(PrintStream out, double time, LogEntry entry, ValueCounts all) {
    ValueCounts one = ValueCounts.like(entry);
    one.add(entry);
    double ratio = style.ratio();
    out.printf(
        Locale.ROOT,
        style.csv() ? CSV_ROW : TEXT_ROW,
        time,
        one.count(),
        one.valueAtPercentile(50) / ratio,
        one.valueAtPercentile(90) / ratio,
        one.maximum() / ratio,
        all.count(),
        all.valueAtPercentile(50) / ratio,
        all.valueAtPercentile(90) / ratio,
        all.valueAtPercentile(99) / ratio,
        all.valueAtPercentile(99.9) / ratio,
        all.valueAtPercentile(99.99) / ratio,
        all.maximum() / ratio);
  }

  private void printWindowRow(PrintStream out, double time, ValueCounts inWindow) {
    out.printf(
        Locale.ROOT,
        style.csv() ? "%.3f,%d,%.3f,%.3f\n" : "%4.3f: I:%d P:%7.3f M:%7.3f\n",
        time,
        inWindow.count(),
        inWindow.valueAtPercentile(window == null ? 100 : window.percentile()) / style.ratio(),
        inWindow.maximum() / style.ratio());
  }

  /** Prints the distribution of all that was added, which must be something. */
  void finish() {
    if (total != null) {
      total.printDistribution(distribution.stream(), style.ticks(), style.ratio(), style.csv());
    }
  }

  /** Closes all files, and then says what could not be written. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (TextOutput output : Arrays.asList(table, windowTable, distribution)) {
      try {
        if (output != null) {
          output.close();
        }
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
