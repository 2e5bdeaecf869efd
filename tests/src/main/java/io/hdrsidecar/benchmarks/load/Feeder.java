package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.benchmarks.process.Launch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A process that runs {@link Flood} or {@link Pace} on the class path of this one. */
final class Feeder implements AutoCloseable {
  private static final List<String> JVM_OPTIONS = List.of("-Xmx512m", "-XX:+UseSerialGC");

  private final Process process;

  /** Starts it; the prefix goes before the command. */
  Feeder(List<String> prefix, Class<?> program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(Launch.program(JVM_OPTIONS, program, arguments));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Waits for its end, and gives what it has to say. */
  FeedReport report() throws IOException, InterruptedException {
    List<String> output = process.inputReader(StandardCharsets.UTF_8).lines().toList();
    if (process.waitFor() != 0) {
      throw new IOException("the feeder ended with " + process.exitValue() + ": " + output);
    }
    return FeedReport.in(output);
  }

  /** Ends it, if it has not ended. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
