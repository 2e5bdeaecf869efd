package io.hdrsidecar.benchmarks.peers.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
  private final List<String> lines = new ArrayList<>(); // guarded by itself
  private final Thread reader;

  private Child(List<String> command, Process process) {
    this.command = command;
    this.process = process;
    RUNNING.add(process);
    this.reader = new Thread(this::readLines, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a command with these variables beside the inherited ones, without our own settings. */
  public static Child start(List<String> command, Map<String, String> variables)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.matches("HDR_SIDECAR_.*|DD_.*|OTEL_.*"));
    builder.environment().putAll(variables);
    return new Child(command, builder.start());
  }

  /** Starts a class of this process's class path, on its Java. */
  public static Child startJava(List<String> jvmOptions, Class<?> program, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    return start(command, Map.of());
  }

  private void readLines() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        add(line);
      }
    } catch (IOException e) {
      add("(cut off: " + e.getMessage() + ")"); // as it is when the process is killed
    }
  }

  private void add(String line) {
    synchronized (lines) {
      lines.add(line);
      lines.notifyAll();
    }
  }

  /** Waits for a line in which the pattern is found, two minutes at most. */
  public Matcher awaitLine(Pattern pattern) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    synchronized (lines) {
      for (int next = 0; ; next++) {
        while (next == lines.size() && reader.isAlive() && System.nanoTime() - deadline < 0) {
          lines.wait(100);
        }
        if (next == lines.size()) {
          throw new IOException("no line with " + pattern + " from " + this);
        }
        Matcher matcher = pattern.matcher(lines.get(next));
        if (matcher.find()) {
          return matcher;
        }
      }
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
    return ProcessFigures.cpuSeconds(process.pid());
  }

  /** The most memory it had resident so far, in bytes. */
  public long peakBytes() throws IOException {
    return ProcessFigures.memoryBytes(process.pid(), "VmHWM");
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
    synchronized (lines) {
      return String.join(" ", shown) + "\n" + String.join("\n", lines);
    }
  }
}
