package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.sidecar.input.DurationText;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code log import}: a log from what other tools wrote. */
@Command(
    name = "import",
    description =
        "Writes an interval log from text: lines of a time and a latency, or percentile"
            + " distributions as HdrHistogram, HistogramLogProcessor and wrk2 print them. Latencies"
            + " are recorded in ns.")
final class ImportCommand extends LogTool {
  /** What the text is. */
  enum Format {
    /** Found out from the first 64 kB. */
    AUTO,
    /** A time and a latency in each line. */
    TEXT,
    /** Percentile distributions. */
    HGRM
  }

  private static final int PEEKED_BYTES = 1 << 16;

  /** Text is in order but for calls that took longer than others. */
  private static final int PATIENCE = 10;

  @Mixin private InputOptions inputs = new InputOptions();

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      defaultValue = "auto",
      description =
          "text: TIME LATENCY in each line; hgrm: percentile distributions; auto (default:"
              + " ${DEFAULT-VALUE}).")
  private Format format = Format.AUTO;

  @Option(
      names = "--unit",
      paramLabel = "UNIT",
      description = "Unit of the latencies: ns, us, ms, s, none (default: ns; of hgrm ms).")
  private @Nullable ValueUnit unit;

  @Option(
      names = "--time-unit",
      paramLabel = "UNIT",
      defaultValue = "s",
      description =
          "Of times since 1970: s, ms, us, ns. Times like 2015-09-09T15:24:39Z need none (default:"
              + " ${DEFAULT-VALUE}).")
  private ValueUnit timeUnit = ValueUnit.S;

  @Option(
      names = "--time-column",
      paramLabel = "N",
      defaultValue = "1",
      description = "Column of the time (default: ${DEFAULT-VALUE}).")
  private int timeColumn;

  @Option(
      names = "--value-column",
      paramLabel = "N",
      defaultValue = "2",
      description = "Column of the latency (default: ${DEFAULT-VALUE}).")
  private int valueColumn;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      defaultValue = "1s",
      description =
          "Length of the intervals that lines are added up to, or that hgrm stands for (default:"
              + " ${DEFAULT-VALUE}).")
  private String interval = "1s";

  @Option(
      names = "--at",
      paramLabel = "TIME",
      converter = TimeBound.Converter.class,
      description = "When hgrm was measured (default: when its file was changed, or now).")
  private @Nullable TimeBound at;

  @Option(names = "--tag", paramLabel = "TAG", defaultValue = "", description = "Tag of all.")
  private String tag = "";

  @Option(
      names = "--digits",
      paramLabel = "N",
      defaultValue = "3",
      description = "Significant digits, 0 to 5 (default: ${DEFAULT-VALUE}).")
  private int digits;

  @Mixin private OutputFileOption output = new OutputFileOption();

  ImportCommand(LogConsole console) {
    super(console);
  }

  @Override
  void run(Messages messages) throws IOException {
    if (timeColumn < 1 || valueColumn < 1) {
      throw new IllegalArgumentException("--time-column and --value-column count from 1");
    }
    if (tag.matches("(?s).*[\\s,].*")) {
      throw new IllegalArgumentException("--tag must have no space, comma or line break: " + tag);
    }
    long millis = DurationText.parse(interval).toMillis();
    if (millis < 1) {
      throw new IllegalArgumentException("--interval must be more than 0");
    }
    BucketLayout layout = BucketLayout.of(1, digits);
    List<LogInput> files = inputs.files(console());
    try (ImportedLog out = new ImportedLog(files)) {
      IntervalSlots slots = new IntervalSlots(millis, PATIENCE, out);
      for (LogInput file : files) {
        importFile(file, layout, millis, slots, messages);
      }
      slots.finish();
    }
  }

  /** Created with its first interval: what is no text to import must not overwrite a log. */
  private final class ImportedLog implements IntervalSlots.Output, Closeable {
    private final List<LogInput> files;
    private @Nullable LogOutput out;

    ImportedLog(List<LogInput> files) {
      this.files = files;
    }

    @Override
    public void write(String ofTag, long startMillis, long endMillis, ValueCounts counts)
        throws IOException {
      LogOutput log = out;
      if (log == null) {
        log = output.open(console(), files);
        out = log;
        log.writeHeader("Imported from " + files.size() + " files", 0);
      }
      log.write(ofTag, startMillis, endMillis, counts);
    }

    @Override
    public void close() throws IOException {
      if (out != null) {
        out.close();
      }
    }
  }

  private void importFile(
      LogInput file, BucketLayout layout, long millis, IntervalSlots slots, Messages messages)
      throws IOException {
    InputStream opened;
    try {
      opened = file.open(messages);
    } catch (IOException e) {
      messages.warn(String.valueOf(e.getMessage()));
      return;
    }
    try (BufferedInputStream in = new BufferedInputStream(opened, PEEKED_BYTES);
        TextLines lines = new TextLines(in)) {
      boolean distribution = format == Format.HGRM || (format == Format.AUTO && isDistribution(in));
      if (distribution) {
        importDistributions(file, lines, layout, millis, slots, messages);
      } else {
        importLatencies(file, lines, layout, millis, slots, messages);
      }
    }
    messages.endOf(file.displayName());
  }

  private static boolean isDistribution(BufferedInputStream in) throws IOException {
    in.mark(PEEKED_BYTES);
    String head = new String(in.readNBytes(PEEKED_BYTES - 1), StandardCharsets.UTF_8);
    in.reset();
    String unmarked = head.replace(String.valueOf(TextLines.BYTE_ORDER_MARK), "");
    return unmarked.lines().anyMatch(DistributionText::isLegend);
  }

  private void importLatencies(
      LogInput file,
      TextLines lines,
      BucketLayout layout,
      long millis,
      IntervalSlots slots,
      Messages messages)
      throws IOException {
    LatencyText text =
        new LatencyText(timeUnit, timeColumn, unit == null ? ValueUnit.NS : unit, valueColumn);
    SparseCounts one = new SparseCounts();
    boolean found = false;
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (LatencyText.isRemark(line, lines.number())) {
        continue;
      }
      found = true;
      try {
        text.read(line);
      } catch (IllegalArgumentException e) {
        messages.refused(file.displayName(), lines.number(), String.valueOf(e.getMessage()));
        continue;
      }
      int index = layout.indexOf(text.value());
      one.clear();
      one.visit(index, 1);
      long highest = Math.max(layout.highestValueAt(index), 2);
      long start = Math.floorDiv(text.timeMillis(), millis) * millis;
      slots.add(new LogEntry(layout, highest, one, null), tag, start, start + millis);
    }
    if (!found) {
      messages.warn(
          file.displayName()
              + ": has nothing to import: no line of a time and a latency, no percentile"
              + " distribution");
    }
  }

  private void importDistributions(
      LogInput file,
      TextLines lines,
      BucketLayout layout,
      long millis,
      IntervalSlots slots,
      Messages messages)
      throws IOException {
    DistributionText text = new DistributionText(lines, unit == null ? ValueUnit.MS : unit, layout);
    long start = startOf(file);
    int tables = 0;
    try {
      for (LogEntry entry = text.next(); entry != null; entry = text.next()) {
        String own = text.tag();
        String joined = tag.isEmpty() || own.isEmpty() ? tag + own : tag + "::" + own;
        slots.add(entry, joined, start, start + millis);
        tables++;
      }
    } catch (IllegalArgumentException e) {
      messages.refused(file.displayName(), lines.number(), String.valueOf(e.getMessage()));
    }
    if (tables == 0) {
      messages.warn(
          file.displayName()
              + ": has no percentile distribution, whose head is Value Percentile TotalCount");
    }
  }

  private long startOf(LogInput file) throws IOException {
    TimeBound given = at;
    if (given != null) {
      if (!given.absolute()) {
        throw new IllegalArgumentException("--at must be a time, or @ and seconds since 1970");
      }
      return Math.round(given.seconds() * 1000);
    }
    return file.isStandardInput()
        ? Instant.now().toEpochMilli()
        : Files.getLastModifiedTime(Path.of(file.name())).toMillis();
  }
}
