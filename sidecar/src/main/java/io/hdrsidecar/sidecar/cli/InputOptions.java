package io.hdrsidecar.sidecar.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;

/** The logs a command reads. */
final class InputOptions {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "Interval logs, plain or gzipped; - is standard input, and so is no file at all.")
  private List<String> files = new ArrayList<>();

  /** The files named, or standard input. */
  List<LogInput> files(LogConsole console) {
    return files(files, console);
  }

  static List<LogInput> files(List<String> names, LogConsole console) {
    List<String> all = names.isEmpty() ? List.of("-") : names;
    if (all.stream().filter("-"::equals).count() > 1) {
      throw new IllegalArgumentException("-: standard input can be read once only");
    }
    return all.stream().map(name -> new LogInput(name, "", console)).toList();
  }
}
