package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Has {@link EndWatchMain} watch processes. One thread at a time. */
final class EndWatch implements AutoCloseable {
  private final Process process;
  private final Writer ids;

  private EndWatch(Process process) {
    this.process = process;
    this.ids = process.outputWriter(StandardCharsets.US_ASCII);
  }

  /** Starts it. */
  static EndWatch start(List<String> command) throws IOException {
    return new EndWatch(
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** From now on it ends this one, too. */
  void watch(Process started) throws IOException {
    ids.write(started.pid() + "\n");
    ids.flush();
  }

  /** Ends all that live, as the end of this process would, and waits for it. */
  @Override
  public void close() {
    try {
      ids.close();
    } catch (IOException e) {
      // It is gone already, as after Ctrl-C, which a terminal sends to all.
      process.destroyForcibly();
    }
    process.onExit().join();
  }
}
