package io.hdrsidecar.fleet.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is left of processes when the one that has started them is killed: nothing. */
@Timeout(120)
final class FleetProcessesTest {
  private static final int PROCESSES = 3;

  @TempDir private Path folder = Path.of("");

  /** Starts some processes that have nothing to do, and waits. */
  static final class Starter {
    private Starter() {}

    /** Takes a folder for their output; says which they are. */
    public static void main(String[] arguments) throws Exception {
      try (FleetProcesses processes = new FleetProcesses(Path.of(arguments[0]))) {
        for (int i = 0; i < PROCESSES; i++) {
          FleetProcess idle = processes.start("idle-" + i, List.of("sleep", "600"));
          System.out.println(idle.handle().pid());
        }
        System.in.read(); // until who started it has ended
      }
    }
  }

  @Test
  void kill9_ofTheOneThatStartedThem_endsThem() throws Exception {
    Process starter =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Starter.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    List<ProcessHandle> started = new ArrayList<>();
    try (BufferedReader said = starter.inputReader()) {
      for (int i = 0; i < PROCESSES; i++) {
        started.add(ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow());
      }
      List<ProcessHandle> all = starter.descendants().toList();
      assertThat(all).as("with the one that watches").hasSize(PROCESSES + 1).containsAll(started);

      starter.destroyForcibly();

      for (ProcessHandle each : all) {
        each.onExit().get(60, TimeUnit.SECONDS);
      }
      assertThat(all).noneMatch(ProcessHandle::isAlive);
    } finally {
      starter.destroyForcibly();
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
