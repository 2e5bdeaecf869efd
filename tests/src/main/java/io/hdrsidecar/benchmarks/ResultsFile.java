package io.hdrsidecar.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.LocalDate;
import java.util.Objects;

/** A dated section of the results file: on what machine, by what command, which tables. */
public final class ResultsFile {
  private static final String NAME = "RESULTS.md";

  private final StringBuilder section = new StringBuilder();

  /** A section of today for what this command measures. */
  public ResultsFile(String command) {
    section
        .append("## ")
        .append(LocalDate.now(Clock.systemUTC()))
        .append("\n\n`")
        .append(command)
        .append("`\n\n")
        .append(machine())
        .append("\n");
  }

  private static String machine() {
    return Runtime.getRuntime().availableProcessors()
        + " × "
        + processor()
        + ", "
        + System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + ", "
        + System.getProperty("java.vm.name")
        + " "
        + System.getProperty("java.vm.version")
        + ".\n";
  }

  private static String processor() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 2))
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch"); // not Linux
    }
  }

  /** {@code tests/benchmarks/RESULTS.md}, found from {@code tests/target/benchmarks.jar}. */
  public static Path besideTheJar() {
    try {
      URI jar = Main.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      Path target = Objects.requireNonNull(Path.of(jar).getParent(), "folder of " + jar);
      return target.resolveSibling("benchmarks").resolve(NAME);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("jar has no path", e);
    }
  }

  void add(Group group, String table) {
    add(group.name(), group.about(), table);
  }

  /** Adds one table, in Markdown, under a title. */
  public void add(String title, String about, String table) {
    section
        .append("\n### ")
        .append(title)
        .append("\n\n")
        .append(about)
        .append("\n\n")
        .append(table);
  }

  /** Writes the section to the end of the file, which is made if need be. */
  public void appendTo(Path file) throws IOException {
    if (Files.notExists(file)) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, "# Benchmark results, newest last\n");
    }
    Files.writeString(file, "\n" + section, StandardOpenOption.APPEND);
  }

  @Override
  public String toString() {
    return section.toString();
  }
}
