package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code log tags}: what is in a log. */
@Command(name = "tags", description = "Lists the tags of logs with counts and times.")
final class TagsCommand extends LogTool {
  /** What is known of one tag. */
  private static final class Tag {
    private long intervals;
    private BigInteger count = BigInteger.ZERO;
    private long startMillis = Long.MAX_VALUE;
    private long endMillis;

    void add(LogScan scan) {
      intervals++;
      count = count.add(BigInteger.valueOf(scan.entry().count()));
      startMillis = Math.min(startMillis, scan.interval().startMillis());
      endMillis = Math.max(endMillis, scan.interval().endMillis());
    }
  }

  @Mixin private InputOptions inputs = new InputOptions();
  @Mixin private SelectionOptions selection = new SelectionOptions();

  TagsCommand(LogConsole console) {
    super(console);
  }

  @Override
  void run(Messages messages) throws IOException {
    Map<String, Tag> tags = new TreeMap<>();
    forEachInterval(
        inputs.files(console()),
        selection.selection(OmissionCorrection.NONE),
        messages,
        scan -> tags.computeIfAbsent(scan.interval().tag(), key -> new Tag()).add(scan));
    if (tags.isEmpty()) {
      messages.warnOfNothing();
      return;
    }
    try (TextOutput out = TextOutput.standard(console())) {
      print(out.stream(), tags);
    }
  }

  private static void print(PrintStream out, Map<String, Tag> tags) {
    int width = tags.keySet().stream().mapToInt(String::length).max().orElse(0);
    String format = "%-" + Math.max(width, 8) + "s %10s %15s %-24s %-24s%n";
    out.printf(format, "tag", "intervals", "count", "first start", "last end");
    tags.forEach(
        (name, tag) ->
            out.printf(
                Locale.ROOT,
                format,
                name.isEmpty() ? "[no tag]" : name,
                tag.intervals,
                tag.count,
                Instant.ofEpochMilli(tag.startMillis),
                Instant.ofEpochMilli(tag.endMillis)));
  }
}
