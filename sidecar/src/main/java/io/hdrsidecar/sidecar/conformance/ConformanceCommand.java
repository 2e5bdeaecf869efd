package io.hdrsidecar.sidecar.conformance;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code conformance}: judges a client by what it says to a sidecar that misbehaves.
 */
@Command(
    name = "conformance",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false,
    description = {
      "Judges a client for this protocol: starts its program once for each case, as the client of a"
          + " sidecar that misbehaves by script, has it record values, and compares what came bucket"
          + " by bucket.",
      "The program reads from its standard input what it is to do; docs/conformance.md draws it."
          + " Prints a table of laws; exits with 1 if one is broken."
    })
public final class ConformanceCommand implements Callable<Integer> {
  private static final int MOST_JOBS = 64;
  private static final int MOST_SECONDS = 3_600;

  @Option(
      names = "--case",
      paramLabel = "<name>",
      description = "Plays this case only; may be given several times.")
  private List<String> chosen = new ArrayList<>();

  @Option(
      names = "--skip",
      paramLabel = "<name>",
      description = "Leaves this case out; may be given several times.")
  private List<String> skipped = new ArrayList<>();

  @Option(names = "--list", description = "Lists the cases, and what the sidecar does in each.")
  private boolean lists;

  @Option(
      names = "--seed",
      paramLabel = "<number>",
      description = "From which all that is random follows (default: another each time).")
  private @Nullable Long seed;

  @Option(
      names = "--jobs",
      paramLabel = "<n>",
      defaultValue = "4",
      description = "Cases at a time, 1 to 64.")
  private int jobs;

  @Option(
      names = "--limit",
      paramLabel = "<seconds>",
      defaultValue = "60",
      description = "What a case may take, 1 to 3600; most take a second or two.")
  private int limit;

  @Parameters(
      paramLabel = "<command>",
      arity = "0..*",
      description = "The command that starts the client's program, behind --.")
  private List<String> command = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  /** The command. */
  public ConformanceCommand() {}

  /**
   * Plays the cases.
   *
   * @return exit code: 0; 1 when a law is broken, or with the reason on stderr when the client
   *     cannot be started
   * @throws ParameterException for a wrong call
   */
  @Override
  public Integer call() throws InterruptedException {
    List<ConformanceCase> cases = cases();
    PrintWriter out = spec.commandLine().getOut();
    if (lists) {
      cases.forEach(one -> out.printf("%-20s %s%n", one.name(), one.says()));
      return ExitCode.OK;
    }
    check();
    try {
      return play(cases, out);
    } catch (IOException e) {
      spec.commandLine().getErr().println("cannot run the client: " + e.getMessage());
      return ExitCode.SOFTWARE;
    } finally {
      out.flush();
    }
  }

  private int play(List<ConformanceCase> cases, PrintWriter out)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("hdr-kit");
    try {
      long random = seed == null ? new SecureRandom().nextInt(Integer.MAX_VALUE) : seed;
      Kit kit = new Kit(command, random, Duration.ofSeconds(limit), folder);
      ConformanceReport report =
          new ConformanceReport(kit, new ConformanceRun(kit, jobs).play(cases));
      report.print(out);
      return report.isPassed() ? ExitCode.OK : ExitCode.SOFTWARE;
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void check() {
    if (command.isEmpty()) {
      throw wrong("the command that starts the client is missing, behind --");
    }
    if (jobs < 1 || jobs > MOST_JOBS) {
      throw wrong("--jobs must be from 1 to " + MOST_JOBS + ": " + jobs);
    }
    if (limit < 1 || limit > MOST_SECONDS) {
      throw wrong("--limit must be from 1 to " + MOST_SECONDS + ": " + limit);
    }
  }

  private List<ConformanceCase> cases() {
    Map<String, ConformanceCase> all = new LinkedHashMap<>();
    ConformanceCases.all().forEach(one -> all.put(one.name(), one));
    Stream.concat(chosen.stream(), skipped.stream())
        .filter(name -> !all.containsKey(name))
        .forEach(
            name -> {
              throw wrong("no case " + name + "; --list has their names");
            });
    skipped.forEach(all::remove);
    if (!chosen.isEmpty()) {
      all.keySet().retainAll(chosen);
    }
    return List.copyOf(all.values());
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
