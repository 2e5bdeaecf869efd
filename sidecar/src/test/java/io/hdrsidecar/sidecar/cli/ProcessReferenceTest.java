package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code log process} beside HistogramLogProcessor 2.2.2 itself, in a process of its own: for every
 * log and option the same bytes, or the difference that is explained. Writes the table of what was
 * compared to {@code target/log-process-table.md}.
 */
class ProcessReferenceTest {
  /** How an output compares. */
  enum Outcome {
    EQUAL("the same bytes"),
    FIRST_INTERVAL("HistogramLogProcessor leaves out the interval that began before StartTime"),
    WINDOW_LAYOUT("HistogramLogProcessor's window moves counts to other values"),
    LABEL("the same bytes but for the line that says it is corrected"),
    TAGS_LOST("HistogramLogProcessor loses tags when it corrects, and counts all as untagged"),
    ALL_TAGS("HistogramLogProcessor takes the option and ignores it"),
    CRASH("HistogramLogProcessor ends with an exception; nothing written here");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }
  }

  private static final String[] OUTPUTS = {"", ".hgrm", ".mwp"};
  private static final Map<String, String> TABLE = new TreeMap<>();

  /** Without -o, for what goes to standard output. */
  private static final Set<String> TO_STANDARD_OUTPUT =
      Set.of("-listtags", "-start 0 -percentilesOutputTicksPerHalf 7");

  @TempDir Path folder = Path.of("set by JUnit");

  /** Options as HistogramLogProcessor has them, each of which all logs are processed with. */
  private static final List<String> OPTIONS =
      List.of(
          "",
          "-csv",
          "-start 0",
          "-start 5.5 -end 12.25",
          "-outputValueUnitRatio 1000 -percentilesOutputTicksPerHalf 10",
          "-start 0 -mwp 99.9 -mwpl 5000",
          "-start 0 -csv -mwp 50",
          "-start 0 -correctLogWithKnownCoordinatedOmission 1000000",
          "-listtags",
          "-start 0 -alltags",
          "-start 0 -percentilesOutputTicksPerHalf 7",
          "-v -tag A");

  static Stream<Arguments> cases() {
    return Fixtures.ALL.stream()
        .flatMap(log -> OPTIONS.stream().map(options -> Arguments.of(log, options)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("cases")
  void process_likeHistogramLogProcessor_printsTheSame(String log, String options)
      throws Exception {
    Path theirs = folder.resolve("theirs");
    Path ours = folder.resolve("ours");
    List<String> arguments = new ArrayList<>(List.of("-i", Fixtures.path(log).toString()));
    if (!options.isEmpty()) {
      arguments.addAll(Arrays.asList(options.split(" ")));
    }

    runBoth(theirs, ours, arguments, !TO_STANDARD_OUTPUT.contains(options));

    List<String> outcomes = new ArrayList<>();
    for (String output : OUTPUTS) {
      Path their = folder.resolve("theirs" + output);
      Path our = folder.resolve("ours" + output);
      Outcome expected = expected(log, options, output);
      if (expected == Outcome.CRASH) {
        assertThat(our).doesNotExist();
        outcomes.add("NAME" + output + ": " + expected.text);
        continue;
      }
      assertThat(Files.exists(our)).as(output).isEqualTo(Files.exists(their));
      if (Files.exists(our)) {
        check(expected, Fixtures.text(their), Fixtures.text(our));
        outcomes.add("NAME" + output + ": " + expected.text);
      }
    }
    assertThat(Fixtures.text(folder.resolve("ours.out")))
        .isEqualTo(Fixtures.text(folder.resolve("theirs.out")));
    if (outcomes.isEmpty()) {
      outcomes.add("standard output: " + Outcome.EQUAL.text);
    }
    TABLE.put(log + " | " + (options.isEmpty() ? "(none)" : options), String.join("; ", outcomes));
  }

  private static Outcome expected(String log, String options, String output) {
    boolean startGiven = options.contains("-start");
    boolean hasTags = log.equals(Fixtures.TAGGED) || log.equals(Fixtures.V3);
    if (hasTags && options.contains("correct")) {
      return Outcome.TAGS_LOST;
    }
    if (hasTags && options.contains("-alltags")) {
      return Outcome.ALL_TAGS;
    }
    if (options.contains("-tag A") && !log.equals(Fixtures.TAGGED)) {
      return Outcome.CRASH;
    }
    if (log.equals(Fixtures.YCSB) && !startGiven) {
      return Outcome.FIRST_INTERVAL;
    }
    if (output.equals(".mwp") && !log.equals(Fixtures.YCSB)) {
      return Outcome.WINDOW_LAYOUT;
    }
    return options.contains("correct") ? Outcome.LABEL : Outcome.EQUAL;
  }

  private static void check(Outcome expected, String theirs, String ours) {
    switch (expected) {
      case EQUAL -> assertThat(ours).isEqualTo(theirs);
      case LABEL -> {
        String label = "#[Corrected for coordinated omission, expected interval 1000000]\n";
        assertThat(ours).contains(label);
        assertThat(ours.replace(label, "")).isEqualTo(theirs);
      }
      case CRASH -> throw new AssertionError("nothing is to be written");
      default -> assertThat(ours).isNotEqualTo(theirs); // its own test says how
    }
  }

  private void runBoth(Path theirs, Path ours, List<String> arguments, boolean toFiles)
      throws Exception {
    List<String> their = new ArrayList<>(arguments);
    List<Object> our = new ArrayList<>(List.of("process"));
    our.addAll(arguments);
    if (toFiles) {
      their.addAll(List.of("-o", theirs.toString()));
      our.addAll(List.of("-o", ours.toString()));
    }
    ReferenceProcess.run(folder.resolve("theirs.out"), folder.resolve("theirs.err"), their);
    LogToolRun run = LogToolRun.of(our.toArray());
    Files.writeString(folder.resolve("ours.out"), run.out());
  }

  @AfterAll
  static void writeTable() throws Exception {
    StringBuilder table = new StringBuilder("| log | options | result |\n| --- | --- | --- |\n");
    TABLE.forEach(
        (names, result) ->
            table.append("| ").append(names).append(" | ").append(result).append(" |\n"));
    Files.writeString(Path.of("target", "log-process-table.md"), table);
  }
}
