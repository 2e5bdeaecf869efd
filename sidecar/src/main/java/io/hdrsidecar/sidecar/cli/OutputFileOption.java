package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a tool writes its log. */
final class OutputFileOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to write (default: standard output).")
  private @Nullable String name;

  /** Begins to write there, unless it is one of the inputs. */
  LogOutput open(LogConsole console, List<LogInput> inputs) throws IOException {
    return LogOutput.open(console, name, inputs);
  }
}
