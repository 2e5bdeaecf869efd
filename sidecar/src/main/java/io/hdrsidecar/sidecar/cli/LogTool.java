package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.sidecar.input.CauseText;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What all log tools do alike: exit code 0 when everything was used, 1 when some input was not or
 * an output failed, 2 for a wrong call; results on standard output, all else on standard error.
 */
@Command(
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:everything was read and used",
      "1:some input was damaged, missing or not selected, or an output failed; see standard error",
      "2:wrong call"
    })
abstract class LogTool implements Callable<Integer> {
  /** What to do with each interval. */
  @FunctionalInterface
  interface IntervalAction {
    /** The scan stands at the interval. */
    void accept(LogScan scan) throws IOException;
  }

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  @Option(
      names = {"-v", "--verbose"},
      description = "Tells every line that is left out, not only the first ten of a file.")
  private boolean verbose;

  private final LogConsole console;

  LogTool(LogConsole console) {
    this.console = console;
  }

  final LogConsole console() {
    return console;
  }

  /**
   * Does the work.
   *
   * @throws IOException when an output fails, with a message for people
   * @throws IllegalArgumentException for options that make no sense
   */
  abstract void run(Messages messages) throws IOException;

  @Override
  public final Integer call() {
    Messages messages = new Messages(console, verbose);
    try {
      run(messages);
    } catch (IOException | ArithmeticException e) {
      messages.warn(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    if (console.out().checkError()) {
      messages.warn("standard output: not everything could be written");
    }
    return messages.exitCode();
  }

  /** Reads log after log; one that cannot be opened is told and left out. */
  static void forEachInterval(
      List<LogInput> files, IntervalSelection selection, Messages messages, IntervalAction action)
      throws IOException {
    for (LogInput file : files) {
      LogScan scan = open(file, selection, messages, true);
      if (scan != null) {
        try (scan) {
          while (scan.next()) {
            action.accept(scan);
          }
        }
      }
    }
  }

  /** Null when the log cannot be opened, which has been told then. */
  static @Nullable LogScan open(
      LogInput file, IntervalSelection selection, Messages messages, boolean decodeAhead) {
    try {
      return new LogScan(file, selection, messages, decodeAhead);
    } catch (IOException e) {
      messages.warn(CauseText.of(e));
      return null;
    }
  }
}
