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

  /** {@code tests/benchmarks/RESULTS.md}, found from {@code tests/target/benchmarks.jar}. */
  static Path besideTheJar() {
    try {
      URI jar = BenchmarksMain.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      Path target = Objects.requireNonNull(Path.of(jar).getParent(), "folder of " + jar);
      return target.resolveSibling("benchmarks").resolve(NAME);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("jar has no path", e);
    }
  }

  void add(BenchmarkGroup group, String table) {
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

  /** Prints the section and, if it is to be kept, writes it to the end of the project's file. */
  public void publish(boolean kept) throws IOException {
    System.out.println(this);
    if (kept) {
      appendTo(besideTheJar());
    }
  }

  /** The section, under its date and the titles of its tables. */
  @Override
  public String toString() {
    String heading =
        Stream.concat(Stream.of(LocalDate.now(Clock.systemUTC()).toString()), titles.stream())
            .collect(Collectors.joining(", "));
    return "## "
        + heading
        + "\n\n`"
        + command
        + "`\n\n"
        + Host.text()
        + ", "
        + Host.jvm()
        + ".\n"
        + tables;
  }
}
