package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.hlog.MalformedLogLineException;
import io.hdrsidecar.sidecar.input.DurationText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code log union}: many logs as one. */
@Command(
    name = "union",
    description =
        "Writes one log with the intervals of many, in order of time. Without --interval each"
            + " interval stays as it is; with it, those of one tag are added up, without loss:"
            + " intervals of different precision stay apart, as a line each.")
final class UnionCommand extends LogTool {
  @Parameters(
      paramLabel = "[TAG=]FILE",
      arity = "0..*",
      description =
          "Interval logs, plain or gzipped; - is standard input, and so is no file at all. With"
              + " TAG=, intervals of that file get the tag TAG, those that have a tag TAG::tag. A"
              + " file whose name has a = is written ./a=b.hlog.")
  private List<String> names = new ArrayList<>();

  @Mixin private SelectionOptions selection = new SelectionOptions();

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      description = "Adds up to intervals of this length: 500ms, 10s, 5m (default: adds nothing).")
  private @Nullable String interval;

  @Option(
      names = "--relative",
      description = "Puts the starts of all logs on top of each other, at 0.")
  private boolean relative;

  @Option(names = "--tag-by-file", description = "Tags each file that has no TAG= by its name.")
  private boolean tagByFile;

  @Mixin private OutputFileOption output = new OutputFileOption();

  UnionCommand(LogConsole console) {
    super(console);
  }

  @Override
  void run(Messages messages) throws IOException {
    List<LogInput> files = files();
    long slotMillis = interval == null ? 0 : positive(DurationText.parse(interval)).toMillis();
    try (LogMerge merge =
        new LogMerge(files, selection.selection(OmissionCorrection.NONE), messages, relative)) {
      LogScan scan = merge.next();
      if (scan == null) {
        messages.warnOfNothing();
        return;
      }
      try (LogOutput out = output.open(console(), files)) {
        long first = start(scan);
        long logStart = (long) Math.floor(merge.startSeconds() * 1000);
        out.writeHeader("Union of " + files.size() + " logs", Math.min(first, logStart));
        IntervalSlots slots = new IntervalSlots(Math.max(slotMillis, 1), 0, out::write);
        Map<String, CommonUnit> units = new HashMap<>();
        for (; scan != null; scan = merge.next()) {
          CommonUnit unit =
              units.computeIfAbsent(
                  tag(scan), tag -> new CommonUnit(null, "give each unit a tag: TAG=FILE"));
          if (!unit.accepts(scan)) {
            continue;
          }
          if (slotMillis == 0) {
            copy(scan, out);
          } else {
            addTo(slots, scan);
          }
        }
        slots.finish();
      }
    }
  }

  private void addTo(IntervalSlots slots, LogScan scan) throws IOException {
    try {
      slots.add(scan.entry(), tag(scan), start(scan), end(scan));
    } catch (ArithmeticException e) {
      throw new IOException(scan.place() + ": " + e.getMessage(), e);
    }
  }

  private void copy(LogScan scan, LogOutput out) throws IOException {
    try {
      out.copy(scan, tag(scan), start(scan), end(scan));
    } catch (MalformedLogLineException e) {
      scan.refuse(String.valueOf(e.getMessage()));
    }
  }

  private long start(LogScan scan) {
    return relativeMillis(scan, scan.interval().startMillis());
  }

  private long end(LogScan scan) {
    return relativeMillis(scan, scan.interval().endMillis());
  }

  /** An interval may start a moment before the log says it did; time before 0 there is none. */
  private long relativeMillis(LogScan scan, long millis) {
    return relative ? Math.max(millis - Math.round(scan.startSeconds() * 1000), 0) : millis;
  }

  private static String tag(LogScan scan) {
    String prefix = scan.file().tagPrefix();
    String own = scan.interval().tag();
    return prefix.isEmpty() || own.isEmpty() ? prefix + own : prefix + "::" + own;
  }

  private List<LogInput> files() {
    List<LogInput> plain = InputOptions.files(names, console());
    List<LogInput> tagged = new ArrayList<>();
    for (LogInput file : plain) {
      int equals = file.name().indexOf('=');
      int slash = file.name().indexOf('/');
      if (equals > 0 && (slash < 0 || slash > equals)) {
        String tag = file.name().substring(0, equals);
        tagged.add(new LogInput(file.name().substring(equals + 1), checked(tag), console()));
      } else {
        String tag = tagByFile ? nameWithoutExtensions(file) : "";
        tagged.add(new LogInput(file.name(), tag, console()));
      }
    }
    return tagged;
  }

  private static String nameWithoutExtensions(LogInput file) {
    String name = file.baseName().replaceAll("(?i)\\.gz$", "").replaceAll("\\.[^.]+$", "");
    return name.replaceAll("[\\s,]", "_");
  }

  private static String checked(String tag) {
    if (tag.matches("(?s).*[\\s,].*")) {
      throw new IllegalArgumentException("a tag must have no space, comma or line break: " + tag);
    }
    return tag;
  }

  private static Duration positive(Duration duration) {
    if (duration.isZero()) {
      throw new IllegalArgumentException("--interval must be more than 0");
    }
    return duration;
  }
}
