package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All processes of a fleet. When this is closed, none of them lives, and none can be started any
 * more: whenever that happens, nothing is left behind. When this process is killed before it can
 * close anything, a {@link EndWatch program of its own} kills them.
 */
final class FleetProcesses implements AutoCloseable {
  private final Path logs;
  private final List<Process> started = new ArrayList<>(); // guarded by this
  private @Nullable EndWatch watch; // guarded by this
  private boolean isClosed; // guarded by this

  /** Their output goes to files there. */
  FleetProcesses(Path logs) {
    this.logs = logs;
  }

  Path logs() {
    return logs;
  }

  /**
   * Starts one.
   *
   * @throws FleetException when all has ended, or the program is not there
   */
  synchronized FleetProcess start(String name, List<String> command) throws FleetException {
    if (isClosed) {
      throw new FleetException("all ends");
    }
    Path log = logs.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(key -> key.startsWith("HDR_SIDECAR_"));
    try {
      EndWatch watching = watch;
      if (watching == null) {
        watching = EndWatch.start(FleetPrograms.endWatch());
        watch = watching;
      }
      Process process = builder.start();
      started.removeIf(earlier -> !earlier.isAlive());
      started.add(process);
      watching.watch(process);
      return new FleetProcess(name, log, process);
    } catch (IOException e) {
      throw new FleetException("cannot start " + name + ": " + e.getMessage());
    }
  }

  synchronized boolean isClosed() {
    return isClosed;
  }

  /** Kills all, and waits until they are gone. Any thread, as often as you like. */
  @Override
  public synchronized void close() {
    isClosed = true;
    started.forEach(Process::destroyForcibly);
    started.forEach(process -> process.onExit().join());
    started.clear();
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }
}
