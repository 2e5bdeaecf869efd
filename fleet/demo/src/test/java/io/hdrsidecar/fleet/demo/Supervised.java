package io.hdrsidecar.fleet.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A program of the fleet that is started again when it was killed, or when it could not begin, as a
 * platform does. It may not end by itself once it was ready.
 */
final class Supervised {
  private static final int KILLED = 137;
  private static final int READY_SECONDS = 120;
  private static final int END_SECONDS = 60;
  private static final int MOST_STARTS_IN_A_ROW = 30;

  private final String name;
  private final FleetProcesses processes;
  private final List<String> command;
  private final Pattern readyLine;
  private @Nullable FleetProcess process;
  private @Nullable Matcher ready;
  private int starts;
  private int failedStarts;

  Supervised(String name, FleetProcesses processes, List<String> command, Pattern readyLine) {
    this.name = name;
    this.processes = processes;
    this.command = command;
    this.readyLine = readyLine;
  }

  String name() {
    return name;
  }

  /** Starts it, and does not wait. */
  void start() throws FleetException {
    ready = null;
    process = processes.start(String.format("%s-%03d", name, starts++), command);
  }

  /** Whether it was started, and not told to end. */
  boolean isWanted() {
    return process != null;
  }

  /** How often it could not begin, as when the broker was away. */
  int failedStarts() {
    return failedStarts;
  }

  private FleetProcess process() {
    if (process == null) {
      throw new IllegalStateException(name + " was not started");
    }
    return process;
  }

  /** Starts it again if it could not begin. */
  void lookAfter() throws FleetException {
    if (isWanted() && !process().isAlive()) {
      assertThat(readyLine.matcher(process().output()).find())
          .as("%s ended by itself with %s: %s", name, process().exitCode(), process().output())
          .isFalse();
      failedStarts++;
      start();
    }
  }

  /** Waits until it is ready; what it said then. */
  Matcher awaitReady() throws FleetException {
    for (int i = 0; ready == null; i++) {
      try {
        ready = process().awaitLine(readyLine, READY_SECONDS);
      } catch (FleetException e) {
        if (process().isAlive() || i == MOST_STARTS_IN_A_ROW) {
          throw e;
        }
        lookAfter();
      }
    }
    return ready;
  }

  /** Where it answers, once it does. */
  URI http() throws FleetException {
    return URI.create(awaitReady().group("http"));
  }

  /** {@code kill -9} once it is ready. */
  void kill() throws FleetException {
    awaitReady();
    FleetProcess killed = process();
    assertThat(killed.isAlive()).as("%s lives: %s", name, killed.output()).isTrue();
    killed.kill();
    assertThat(killed.exitCode()).as(name).isEqualTo(KILLED);
  }

  /** SIGTERM once it is ready, on which it must end with 0. */
  void end() throws FleetException, InterruptedException {
    awaitReady();
    FleetProcess ended = process();
    assertThat(ended.end(END_SECONDS)).as("%s ends: %s", name, ended.output()).isTrue();
    assertThat(ended.exitCode()).as("%s: %s", name, ended.output()).isZero();
    process = null;
  }
}
