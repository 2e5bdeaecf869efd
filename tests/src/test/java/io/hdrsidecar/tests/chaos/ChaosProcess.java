package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.benchmarks.process.Launch;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A process whose output goes to a file, and the signals it gets. */
final class ChaosProcess {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final String name;
  private final Path log;
  private final Process process;
  private volatile boolean mayEnd;

  private ChaosProcess(String name, Path log, Process process, Consumer<Throwable> failures) {
    this.name = name;
    this.log = log;
    this.process = process;
    process
        .onExit()
        .thenAccept(
            ended -> {
              if (!mayEnd) {
                failures.accept(
                    new AssertionError(
                        name + " ended by itself, exit " + ended.exitValue() + ", see " + log));
              }
            })
        .exceptionally(
            failure -> {
              failures.accept(failure);
              return null;
            });
  }

  /**
   * Starts a process.
   *
   * @param failures told when the process ends without having been asked to
   */
  static ChaosProcess start(
      String name, List<String> command, Path log, Consumer<Throwable> failures) {
    ProcessBuilder builder = Launch.builder(command).redirectOutput(log.toFile());
    try {
      return new ChaosProcess(name, log, builder.start(), failures);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path log() {
    return log;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Its standard input. */
  OutputStream input() {
    return process.getOutputStream();
  }

  /** Sends a signal: {@code STOP}, {@code CONT}. */
  void signal(String signal) throws IOException, InterruptedException {
    List<String> command = List.of("kill", "-" + signal, Long.toString(process.pid()));
    int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (exit != 0 && isAlive()) {
      throw new AssertionError(String.join(" ", command) + " ended with " + exit);
    }
  }

  /** From now on its end is no failure. */
  void mayEnd() {
    mayEnd = true;
  }

  /** {@code kill -9}; back when it is dead. */
  void kill() {
    mayEnd = true;
    process.destroyForcibly().onExit().join();
  }

  /** SIGTERM, and the exit code it leads to. */
  int terminate() throws IOException, InterruptedException {
    mayEnd = true;
    signal("TERM");
    return awaitExit();
  }

  /** Waits for an end that was asked for. */
  int awaitExit() throws InterruptedException {
    mayEnd = true;
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError(name + " does not end for " + PATIENCE + ", see " + log);
    }
    return process.exitValue();
  }
}
