package io.hdrsidecar.benchmarks.peers;

import io.hdrsidecar.benchmarks.peers.beside.Programs;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryManagerMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
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
    String processor =
        Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 2))
            .findFirst()
            .orElse(System.getProperty("os.arch"));
    String text =
        String.format(
            "%d × %s, %s %s. Application: %s %s, `%s`, garbage collector as the JVM chose (%s). Sidecar: %s, `%s` (1,000 series: `-Xmx768m`, 10,000: `-Xmx3g`), %s. Load average at the start %s",
            Runtime.getRuntime().availableProcessors(),
            processor,
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("java.vm.name"),
            System.getProperty("java.vm.version"),
            String.join(" ", PointRun.APPLICATION_OPTIONS),
            collectors(),
            version(programs.sidecarJava()),
            String.join(" ", programs.sidecarJvmOptions(Point.USUAL_SERIES)),
            settings(programs),
            load());
    String line =
        "tests/benchmarks/peers " + String.join(" ", command.getParseResult().originalArgs());
    return new Machine(
        line.strip(),
        text,
        LocalDateTime.now(Clock.systemUTC()).truncatedTo(ChronoUnit.MINUTES),
        "");
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
    return new Machine(command, text, started, load());
  }

  private static String load() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
  }
}
