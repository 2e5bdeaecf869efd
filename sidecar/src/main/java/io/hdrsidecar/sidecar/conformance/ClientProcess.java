package io.hdrsidecar.sidecar.conformance;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The client's program, which reads from its input what it is to do. */
final class ClientProcess {
  private static final int SHOWN_LINES = 12;

  private final Process process;
  private final OutputStream input;
  private final Path output;

  private final CompletableFuture<?> ended;

  private ClientProcess(Process process, Path output, Runnable atItsEnd) {
    this.process = process;
    this.ended = process.onExit().thenRun(atItsEnd);
    this.input = process.getOutputStream();
    this.output = output;
  }

  /**
   * Starts it.
   *
   * @param variables beside those of this process
   * @param output file for what it prints
   * @param atItsEnd is called when it has ended
   */
  static ClientProcess start(
      List<String> command, Map<String, String> variables, Path output, Runnable atItsEnd)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("HDR_SIDECAR_"));
    builder.environment().putAll(variables);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    return new ClientProcess(builder.start(), output, atItsEnd);
  }

  /** Writes lines to its input. */
  void tell(List<String> lines) throws IOException {
    input.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
  }

  /** Waits until it has ended; the exit code. */
  int await() throws InterruptedException {
    int exit = process.waitFor();
    ended.join();
    return exit;
  }

  /** Ends it. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** The last of what it printed. */
  List<String> lastLines() throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(output), StandardCharsets.UTF_8).lines().toList();
    return lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
  }
}
