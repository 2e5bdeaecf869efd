package io.hdrsidecar.benchmarks.peers;

import io.hdrsidecar.benchmarks.Host;
import io.hdrsidecar.benchmarks.peers.beside.Programs;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryManagerMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;

/**
 * Where and how it was measured.
 *
 * @param text versions of system and JVMs, command, load at the start
 * @param started UTC
 * @param loadAtEnd over a minute
 */
record Machine(String command, String text, LocalDateTime started, String loadAtEnd) {
  static Machine now(CommandLine command, Programs programs)
      throws IOException, InterruptedException {
    String text =
        String.format(
            "%s. Application: %s, `%s`, garbage collector as the JVM chose (%s). Sidecar: %s, `%s` (1,000 series: `-Xmx768m`, 10,000: `-Xmx3g`), %s. %s. Load average at the start %s",
            Host.text(),
            Host.jvm(),
            String.join(" ", PointRun.APPLICATION_OPTIONS),
            collectors(),
            version(programs.sidecarJava()),
            String.join(" ", programs.sidecarJvmOptions(Point.USUAL_SERIES)),
            settings(programs),
            FirstTouch.measure(),
            Host.load());
    return new Machine(
        line(command.getParseResult().originalArgs()),
        text,
        LocalDateTime.now(Clock.systemUTC()).truncatedTo(ChronoUnit.MINUTES),
        "");
  }

  /**
   * How it was called, but for where the tables go, which is of no interest to those that repeat
   * it.
   */
  static String line(List<String> arguments) {
    StringBuilder line = new StringBuilder("tests/benchmarks/peers");
    for (Iterator<String> all = arguments.iterator(); all.hasNext(); ) {
      String argument = all.next();
      if (argument.equals("--output")) {
        all.next(); // picocli has seen to it that there is one
      } else if (!argument.startsWith("--output=")) {
        line.append(' ').append(argument);
      }
    }
    return line.toString();
  }

  /** Of this JVM, which is the application's, too, and chooses by the machine. */
  private static String collectors() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(MemoryManagerMXBean::getName)
        .collect(Collectors.joining(", "));
  }

  private static String settings(Programs programs) {
    StringBuilder text = new StringBuilder();
    programs
        .sidecarEnvironment()
        .forEach(
            (name, value) -> text.append(text.isEmpty() ? "`" : " ").append(name + "=" + value));
    programs.sidecarSettings().forEach(flag -> text.append(' ').append(flag));
    return text + "`";
  }

  private static String version(Path java) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(java.toString(), "--version").redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.lines().skip(1).findFirst().orElse(java.toString());
  }

  /** The same with what the machine had to do in the last minute. */
  Machine atEnd() throws IOException {
    return new Machine(command, text, started, Host.load());
  }
}
