package io.hdrsidecar.sidecar.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** One call of a log tool in this process, and what came of it. */
record LogToolRun(int exitCode, String out, String err) {
  private static final LogServer NOT_EXPLORED =
      (logs, port, slaFile, onReady) -> {
        throw new AssertionError("nothing is to be explored");
      };

  static LogToolRun of(Object... arguments) {
    return withInput(new byte[0], arguments);
  }

  static LogToolRun withInput(byte[] input, Object... arguments) {
    return withExplorer(NOT_EXPLORED, input, arguments);
  }

  /** Somebody sits at a terminal and types the input. */
  static LogToolRun typed(byte[] input, Object... arguments) {
    return run(NOT_EXPLORED, input, true, arguments);
  }

  static LogToolRun withExplorer(LogServer explorer, byte[] input, Object... arguments) {
    return run(explorer, input, false, arguments);
  }

  private static LogToolRun run(
      LogServer explorer, byte[] input, boolean typed, Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    CommandLine log =
        LogCommand.commandLine(
            new LogConsole(
                new ByteArrayInputStream(input),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                errors,
                typed,
                false),
            explorer);
    log.setErr(new PrintWriter(errors, true, StandardCharsets.UTF_8));
    String[] texts = new String[arguments.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = arguments[i].toString();
    }
    int exitCode = log.execute(texts);
    return new LogToolRun(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The value of a line {@code name=value} of {@code summarize}. */
  String figure(String name) {
    return out.lines()
        .filter(line -> line.startsWith(name + "="))
        .map(line -> line.substring(name.length() + 1))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in\n" + out + err));
  }
}
