package io.hdrsidecar.fleet.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The command of docs/fleet.md, with fewer sidecars, and no process is left behind. */
final class FleetDemoIT {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^    java (-jar fleet/demo/target/hdr-sidecar-fleet-demo\\.jar)$");
  private static final Pattern LOGS = Pattern.compile("(?m)^logs +(\\S+)$");

  private final StringBuilder output = new StringBuilder();

  private Process start(String... options) throws IOException {
    Matcher documented = COMMAND.matcher(Files.readString(ROOT.resolve("docs/fleet.md")));
    assertThat(documented.find()).as("command in docs/fleet.md").isTrue();
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                "--default-signal=INT", // A shell in the background would have it ignored.
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(documented.group(1).split(" ")));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true).start();
  }

  /** Reads up to a line; all processes that it has started until then. */
  private List<ProcessHandle> readTo(String line, Process demo, BufferedReader reader)
      throws IOException {
    for (String next = reader.readLine(); next != null; next = reader.readLine()) {
      output.append(next).append('\n');
      if (next.startsWith(line)) {
        return demo.descendants().toList();
      }
    }
    throw new AssertionError("no line " + line + " in " + output);
  }

  private void assertNothingIsLeft(List<ProcessHandle> started) {
    assertThat(started).noneMatch(ProcessHandle::isAlive);
    Matcher logs = LOGS.matcher(output);
    assertThat(logs.find()).as("%s", output).isTrue();
    assertThat(Path.of(logs.group(1))).doesNotExist();
  }

  @Test
  void documentedCommand_showsThatFleetAndRawValuesAreEqual() throws Exception {
    Process demo = start("--sidecars=3", "--seconds=3");
    try (BufferedReader reader = demo.inputReader()) {
      List<ProcessHandle> started = readTo("recording", demo, reader);
      assertThat(started).as("broker, gateway, two nodes, three sidecars, watch").hasSize(8);
      Stream<String> rest = reader.lines();
      rest.forEach(line -> output.append(line).append('\n'));
      assertThat(demo.waitFor()).as("%s", output).isZero();
      assertThat(output)
          .containsPattern("request\\{deployment=\"search\",route=\"/find\"} +[1-9]")
          .contains("fleet and raw values are equal");
      assertThat(output.toString().lines().filter(line -> line.startsWith("  raw values")))
          .hasSize(4)
          .allMatch(line -> line.startsWith("  raw values, equal "));
      assertNothingIsLeft(started);
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void ctrlC_endsAllProcesses() throws Exception {
    Process demo = start("--sidecars=1", "--nodes=1", "--stay");
    try (BufferedReader reader = demo.inputReader()) {
      List<ProcessHandle> started = readTo("recording", demo, reader);
      assertThat(started).hasSize(5).allMatch(ProcessHandle::isAlive);
      assertThat(new ProcessBuilder("kill", "-INT", String.valueOf(demo.pid())).start().waitFor())
          .isZero();
      assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(demo.exitValue()).isEqualTo(130);
      assertNothingIsLeft(started);
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void kill9_endsAllProcesses() throws Exception {
    Process demo = start("--sidecars=1", "--nodes=1", "--stay");
    try (BufferedReader reader = demo.inputReader()) {
      List<ProcessHandle> started = readTo("recording", demo, reader);
      assertThat(started).hasSize(5).allMatch(ProcessHandle::isAlive);
      assertThat(new ProcessBuilder("kill", "-KILL", String.valueOf(demo.pid())).start().waitFor())
          .isZero();
      assertThat(demo.waitFor()).isEqualTo(137);
      for (ProcessHandle each : started) {
        each.onExit().get(60, TimeUnit.SECONDS);
      }
      assertThat(started).noneMatch(ProcessHandle::isAlive);
    } finally {
      demo.destroyForcibly();
      demo.descendants().forEach(ProcessHandle::destroyForcibly);
    }
  }
}
