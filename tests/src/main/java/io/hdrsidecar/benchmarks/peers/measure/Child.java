package io.hdrsidecar.benchmarks.peers.measure;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.benchmarks.process.ProcessLines;
import io.hdrsidecar.benchmarks.process.ProcessUsage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that is measured; both of its output streams are kept as lines. Linux only, as it reads
 * {@code /proc}.
 */
public final class Child implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Those that were not closed, so that none of them outlives us when we are told to end. */
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "end of children"));
  }

  private final List<String> command;
  private final Process process;
  private final ProcessLines output;
  private final ProcessUsage usage;

  private Child(List<String> command, Process process) {
    this.command = command;
    this.process = process;
    RUNNING.add(process);
    this.output = new ProcessLines(process);
    this.usage = new ProcessUsage(process.pid());
  }

  /** Starts a command with these variables beside the inherited ones, without our own settings. */
  public static Child start(List<String> command, Map<String, String> variables)
      throws IOException {
    ProcessBuilder builder = Launch.builder(command);
    builder.environment().putAll(variables);
    return new Child(command, builder.start());
  }

  /** Starts a class of this process's class path, on its Java. */
  public static Child startJava(List<String> jvmOptions, Class<?> program, List<String> arguments)
      throws IOException {
    return start(Launch.program(jvmOptions, program, arguments), Map.of());
  }

  /** Waits for a line in which the pattern is found, two minutes at most. */
  public Matcher awaitLine(Pattern pattern) throws IOException, InterruptedException {
    try {
      return output.awaitLine(pattern, PATIENCE);
    } catch (IOException e) {
      throw new IOException(e.getMessage() + " from " + this, e);
    }
  }

  /** Waits until the process answers here, two minutes at most. */
  public void awaitPage(URI page) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    HttpClient client = HttpClient.newHttpClient();
    while (true) {
      try {
        client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding());
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() - deadline > 0) {
          throw new IOException("does not answer at " + page + ": " + this, e);
        }
        process.waitFor(20, TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** Processor time it took so far, in seconds, to a hundredth. */
  public double cpuSeconds() throws IOException {
    return usage.cpuNanos() / 1e9;
  }

  /** The most memory it had resident so far, in bytes. */
  public long peakBytes() throws IOException {
    return usage.bytes("VmHWM");
  }

  /**
   * Checks that it is still there.
   *
   * @throws IOException with what it printed, if it has ended by itself
   */
  public void checkAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IOException("ended by itself with " + process.exitValue() + ": " + this);
    }
  }

  /** Ends it at once and waits for that. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    RUNNING.remove(process);
  }

  /** The command, without its class path, and what it has printed. */
  @Override
  public String toString() {
    List<String> shown = new ArrayList<>(command);
    int classPath = shown.indexOf("-cp") + 1;
    if (classPath > 0) {
      shown.set(classPath, "...");
    }
    return String.join(" ", shown) + "\n" + output;
  }
}
