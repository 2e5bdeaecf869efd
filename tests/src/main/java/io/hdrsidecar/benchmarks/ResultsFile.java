package io.hdrsidecar.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A dated section of the results file: on what machine, by what command, which tables. */
public final class ResultsFile {
  private static final String NAME = "RESULTS.md";

  private final String command;
  private final List<String> titles = new ArrayList<>();
  private final StringBuilder tables = new StringBuilder();

  /** A section of today for what this command measures. */
  public ResultsFile(String command) {
    this.command = command;
  }

  private static String machine() {
    return Runtime.getRuntime().availableProcessors()
        + " × "
        + processor()
        + ", "
        + System.getProperty("os.name")
        + " "
        + withoutBuild(System.getProperty("os.version"))
        + ", "
        + System.getProperty("java.vm.name")
        + " "
        + System.getProperty("java.vm.version")
        + ".\n";
  }

  /** {@code 6.18.44} of {@code 6.18.44-cloud-7}: what follows names a build of the kernel. */
  static String withoutBuild(String version) {
    int end = version.indexOf('-');
    return end < 0 ? version : version.substring(0, end);
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
    titles.add(title);
    tables.append("\n### ").append(title).append("\n\n").append(about).append("\n\n").append(table);
  }

  /** Writes the section to the end of the file, which is made if need be. */
  public void appendTo(Path file) throws IOException {
    if (Files.notExists(file)) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, "# Benchmark results, newest last\n");
    }
    Files.writeString(file, "\n" + this, StandardOpenOption.APPEND);
  }

  /** The section, under its date and the titles of its tables. */
  @Override
  public String toString() {
    String heading =
        Stream.concat(Stream.of(LocalDate.now(Clock.systemUTC()).toString()), titles.stream())
            .collect(Collectors.joining(", "));
    return "## " + heading + "\n\n`" + command + "`\n\n" + machine() + tables;
  }
}
