package io.hdrsidecar.tests.support;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.benchmarks.process.ProcessLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The runnable jar in a process of its own; both of its output streams are kept as lines. */
public final class JavaProcess {
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  private final List<String> command;
  private final Process process;
  private final ProcessLines output;

  private JavaProcess(List<String> command, Process process) {
    this.command = command;
    this.process = process;
    this.output = new ProcessLines(process);
  }

  /** Starts {@code java -jar hdr-sidecar.jar} with these arguments, by the java of this test. */
  public static JavaProcess start(List<String> arguments) {
    return start(List.of(), arguments);
  }

  /** The same with options for the JVM, such as {@code -Xmx64m}. */
  static JavaProcess start(List<String> jvmOptions, List<String> arguments) {
    return start(sidecar(jvmOptions, arguments), Map.of());
  }

  /** The same with variables of the environment. */
  static JavaProcess start(Map<String, String> variables, List<String> arguments) {
    return start(sidecar(List.of(), arguments), variables);
  }

  private static List<String> sidecar(List<String> jvmOptions, List<String> arguments) {
    List<String> command = new ArrayList<>(heedingSignals());
    command.addAll(SidecarJar.command(jvmOptions, arguments));
    return command;
  }

  /** Starts a program of these tests, with their class path and these variables. */
  static JavaProcess start(
      Class<?> program, Map<String, String> variables, List<String> arguments) {
    return start(Launch.program(Launch.SHORT_LIVED, program, arguments), variables);
  }

  /** Starts any command with these variables. */
  static JavaProcess start(List<String> command, Map<String, String> variables) {
    ProcessBuilder builder = Launch.builder(command);
    builder.environment().putAll(variables);
    try {
      return new JavaProcess(command, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What to put before a command so that signals reach it: nothing, or GNU's {@code env} with an
   * option. A process started in the background of a script ignores SIGINT, one under nohup SIGHUP;
   * children inherit that, and Java then keeps it so.
   */
  private static List<String> heedingSignals() {
    List<String> prefix = List.of("env", "--default-signal=HUP,INT,TERM");
    try {
      List<String> probe = List.of(prefix.get(0), prefix.get(1), "true");
      int exit = new ProcessBuilder(probe).redirectErrorStream(true).start().waitFor();
      return exit == 0 ? prefix : List.of();
    } catch (IOException e) {
      return List.of(); // no env here
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while starting a process", e);
    }
  }

  /**
   * Waits for a line in which the pattern is found.
   *
   * @throws AssertionError when the output ends without one, or after a long time
   */
  public Matcher awaitLine(Pattern pattern) throws InterruptedException {
    try {
      return output.awaitLine(pattern, DEADLINE);
    } catch (IOException e) {
      throw new AssertionError(e.getMessage() + " from " + this, e);
    }
  }

  /** Waits for the process to end by itself, and for the last of its output. */
  public int awaitExit() throws InterruptedException {
    if (!process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("does not end: " + this);
    }
    output.awaitEnd(DEADLINE);
    return process.exitValue();
  }

  /** Ctrl-C. */
  public void interrupt() throws IOException, InterruptedException {
    signal("INT");
  }

  /** Sends a signal: {@code STOP}, {@code CONT}. */
  public void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
        .inheritIO()
        .start()
        .waitFor();
  }

  /** Writes a line to its input. */
  public void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Ends its input, which ends programs that wait for it. */
  public void endInput() throws IOException {
    process.getOutputStream().close();
  }

  /** SIGTERM, as Kubernetes sends. */
  public void terminate() throws IOException, InterruptedException {
    signal("TERM");
  }

  /** Ends it at once, as {@code kill -9} does; nothing if it has ended. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** What it has printed so far. */
  public String output() {
    return output.toString();
  }

  @Override
  public String toString() {
    return String.join(" ", command) + System.lineSeparator() + output;
  }
}
