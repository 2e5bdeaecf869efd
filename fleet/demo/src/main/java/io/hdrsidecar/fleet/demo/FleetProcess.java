package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One program of the fleet, in a process of its own, whose output goes to a file. */
final class FleetProcess {
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int LAST_LINES = 5;

  private final String name;
  private final Path log;
  private final Process process;

  FleetProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  String name() {
    return name;
  }

  /** All that it has printed so far. */
  String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the system knows of it. */
  ProcessHandle handle() {
    return process.toHandle();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it ended with. */
  int exitCode() {
    return process.exitValue();
  }

  /**
   * Waits until it has printed something.
   *
   * @throws FleetException when it ends without, with its last words, or takes longer than that
   */
  Matcher awaitLine(Pattern pattern, long patienceSeconds) throws FleetException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
    while (true) {
      boolean wasAlive = isAlive();
      Matcher found = pattern.matcher(output());
      if (found.find()) {
        return found;
      }
      if (!wasAlive) {
        throw new FleetException(name + " has ended with " + exitCode() + ": " + lastWords());
      }
      if (System.nanoTime() - deadline > 0) {
        throw new FleetException(
            name + " was not ready after " + patienceSeconds + " s: " + lastWords());
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  private String lastWords() {
    List<String> lines = output().lines().filter(line -> !line.isBlank()).toList();
    return String.join(
        System.lineSeparator(),
        lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
  }

  /** As {@code kill -9}, and waits until it is gone. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Lets it end in order, and waits; false if it has not ended in that time. */
  boolean end(long patienceSeconds) throws InterruptedException {
    process.destroy();
    return process.waitFor(patienceSeconds, TimeUnit.SECONDS);
  }
}
