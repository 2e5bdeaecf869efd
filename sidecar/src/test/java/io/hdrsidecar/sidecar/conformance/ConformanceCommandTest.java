package io.hdrsidecar.sidecar.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ConformanceCommandTest {
  private static final Path PAGE = Path.of("..", "docs", "conformance.md");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{2,3} (.+)$");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine command = new CommandLine(new ConformanceCommand());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(args);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--case=nothing -- true",
        "--skip=nothing -- true",
        "--jobs=0 -- true",
        "--jobs=65 -- true",
        "--limit=0 -- true",
        "--seed=x -- true"
      })
  void wrongCall_isSaidSo(String line) {
    String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);

    assertThat(run(args)).isEqualTo(2);
    assertThat(err.toString()).containsAnyOf("behind --", "no case", "--jobs", "--limit", "--seed");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void list_hasEachCaseOnce() {
    assertThat(run("--list", "--skip=plain")).isZero();

    assertThat(out.toString().lines().map(line -> line.split(" ", -1)[0]))
        .hasSize(ConformanceCases.all().size() - 1)
        .doesNotHaveDuplicates()
        .contains("killed")
        .doesNotContain("plain");
  }

  @Test
  void laws_eachHaveACaseThatGivesRiseToThem() {
    Set<Law> judged = EnumSet.noneOf(Law.class);
    ConformanceCases.all().forEach(one -> judged.addAll(one.laws()));

    assertThat(judged).isEqualTo(EnumSet.allOf(Law.class));
  }

  @Test
  void laws_areThoseOfThePage() throws IOException {
    String page = Files.readString(PAGE);

    for (Law law : Law.values()) {
      assertThat(page).containsPattern("(?m)^\\| " + law.title() + " +\\|");
    }
  }

  /** Whoever looks a law up finds the section. */
  @Test
  void laws_nameSectionsOfTheProtocol() throws IOException {
    Set<String> headings =
        HEADING
            .matcher(Files.readString(Path.of("..", "PROTOCOL.md")))
            .results()
            .map((MatchResult heading) -> heading.group(1))
            .collect(Collectors.toSet());

    for (Law law : Law.values()) {
      assertThat(headings).contains(law.section());
    }
  }
}
