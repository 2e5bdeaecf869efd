package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.hlog.IntervalLogLine;
import io.hdrsidecar.internal.hlog.MalformedLogLineException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code log split}: a log for each tag. */
@Command(
    name = "split",
    description =
        "Writes a log for each tag, TAG.FILE, without tags; intervals that have none go to"
            + " default.FILE. Histograms are copied as they are.")
final class SplitCommand extends LogTool {
  private static final int MAX_TAGS = 500;

  @Mixin private InputOptions inputs = new InputOptions();
  @Mixin private SelectionOptions selection = new SelectionOptions();

  @Option(
      names = {"-d", "--directory"},
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Folder for the logs; must exist (default: ${DEFAULT-VALUE}).")
  private String directory = ".";

  @Option(names = "--keep-tags", description = "Leaves the tags in the lines.")
  private boolean keepTags;

  SplitCommand(LogConsole console) {
    super(console);
  }

  @Override
  void run(Messages messages) throws IOException {
    List<LogInput> files = inputs.files(console());
    for (LogInput file : files) {
      Map<String, LogOutput> outputs = new LinkedHashMap<>();
      try {
        forEachInterval(
            List.of(file),
            selection.selection(OmissionCorrection.NONE),
            messages,
            scan -> copy(scan, outputs, files));
      } finally {
        close(outputs, messages);
      }
      if (outputs.isEmpty()) {
        messages.warnOfNothing();
      }
    }
  }

  private void copy(LogScan scan, Map<String, LogOutput> outputs, List<LogInput> inputFiles)
      throws IOException {
    IntervalLogLine interval = scan.interval();
    LogOutput out = outputs.get(interval.tag());
    if (out == null) {
      if (outputs.size() == MAX_TAGS) {
        throw new IOException(
            scan.file().displayName()
                + ": more than "
                + MAX_TAGS
                + " tags; select some with --include-tag and split again");
      }
      out = open(scan, inputFiles);
      outputs.put(interval.tag(), out);
    }
    try {
      String tag = keepTags ? interval.tag() : "";
      out.copy(scan, tag, interval.startMillis(), interval.endMillis());
    } catch (MalformedLogLineException e) {
      scan.refuse(String.valueOf(e.getMessage()));
    }
  }

  private LogOutput open(LogScan scan, List<LogInput> inputFiles) throws IOException {
    String base = scan.file().baseName().replaceAll("(?i)\\.gz$", "");
    String name = TagFileName.of(scan.interval().tag()) + "." + base;
    LogOutput out =
        LogOutput.open(console(), Path.of(directory).resolve(name).toString(), inputFiles);
    long logStart = (long) Math.floor(scan.startSeconds() * 1000);
    out.writeHeader(
        "Split of " + base.replaceAll("[^ -~]", "_"),
        Math.min(logStart, scan.interval().startMillis()));
    return out;
  }

  private static void close(Map<String, LogOutput> outputs, Messages messages) {
    for (LogOutput out : outputs.values()) {
      try {
        out.close();
      } catch (IOException e) {
        messages.warn(String.valueOf(e.getMessage()));
      }
    }
  }
}
