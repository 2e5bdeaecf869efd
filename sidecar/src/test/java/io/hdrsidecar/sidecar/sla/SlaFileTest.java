package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hdrsidecar.series.Unit;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlaFileTest {
  private static final List<String> WINDOWS = List.of("1m", "5m");

  private static final String TWO =
      """
      slas:
        - name: checkout
          selector: checkout{route="/pay"}
          windows: [1m, 5m]
          limits:
            50%: 20ms
            90%: 50ms
            99.9%: 500ms
            100%: 2s
          objective: 99.9%
        - name: bodies
          selector: '{__name__=~"body.*"}'
          limits: {99%: 64KiB, 100%: 1MiB}
      """;

  private static List<SlaRule> parse(String yaml) throws SlaFileException {
    return SlaFile.parse(yaml, "sla.yaml", WINDOWS);
  }

  private static List<String> problems(String yaml) {
    return catchThrowableOfType(SlaFileException.class, () -> parse(yaml)).problems();
  }

  /** One rule with these lines in place of its limits, which begin in line 4. */
  private static String withLimits(String... rows) {
    return "slas:\n  - name: a\n    selector: a\n    limits:\n      "
        + String.join("\n      ", rows)
        + "\n";
  }

  @Test
  void parse_twoRules_givesWhatIsWritten() throws Exception {
    List<SlaRule> rules = parse(TWO);

    assertThat(rules).extracting(SlaRule::name).containsExactly("checkout", "bodies");
    SlaRule checkout = rules.get(0);
    assertThat(checkout.selector()).isEqualTo("checkout{route=\"/pay\"}");
    assertThat(checkout.windows()).containsExactly("1m", "5m");
    assertThat(checkout.limits())
        .extracting(SlaLimit::quantileLabel)
        .containsExactly("0.5", "0.9", "0.999", "1");
    assertThat(checkout.limits())
        .extracting(limit -> limit.in(Unit.NANOSECONDS))
        .containsExactly(20_000_000L, 50_000_000L, 500_000_000L, 2_000_000_000L);
    assertThat(checkout.objective()).isEqualByComparingTo(new BigDecimal("99.9"));
    assertThat(rules.get(1).windows()).isEmpty();
    assertThat(rules.get(1).limits())
        .extracting(limit -> limit.in(Unit.BYTES))
        .containsExactly(65_536L, 1_048_576L);
  }

  @Test
  void parse_sameTextTwice_givesEqualRules() throws Exception {
    assertThat(parse(TWO)).isEqualTo(parse(TWO));
  }

  @Test
  void example_inTheJar_isTheTableOfTheTalks() {
    assertThat(SlaFile.example())
        .singleElement()
        .satisfies(
            rule ->
                assertThat(rule.limits())
                    .extracting(limit -> limit.percentileText() + " " + limit.text())
                    .containsExactly("50% 20ms", "90% 50ms", "99.9% 500ms", "100% 2s"));
  }

  @ParameterizedTest
  @CsvSource({"''", "'# nothing'", "'slas: []'"})
  void parse_nothing_givesNoRules(String yaml) throws Exception {
    assertThat(parse(yaml)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "20ns,NANOSECONDS,20",
    "1.5us,NANOSECONDS,1500",
    "1.5µs,MICROSECONDS,1",
    "0.035s,NANOSECONDS,35000000",
    "2m,SECONDS,120",
    "1h,MILLISECONDS,3600000",
    "1d,SECONDS,86400",
    "1.5KiB,BYTES,1536",
    "7B,BYTES,7",
    "2GiB,BYTES,2147483648",
    "17,NONE,17"
  })
  void limit_inTheUnitOfTheSeries_isRoundedDown(String text, Unit unit, long expected) {
    assertThat(SlaLimit.parse("99%", text).in(unit)).isEqualTo(expected);
  }

  @Test
  void parse_manyProblems_areAllListedWithTheirLines() {
    String yaml =
        """
        slas:
          - name: a b
            selector: checkout{route=}
            windows: [1m, 7m]
            limits:
              99%: 20ms
              50%: 30ms
              100%: fast
          - name: twice
            selector: x
            colour: red
            limits: {100%: 1s}
          - name: twice
            limits: {50%: 2s, 99%: 1s, 100%: 3s}
            selector: x
        rules: []
        """;

    assertThat(problems(yaml))
        .containsExactlyInAnyOrder(
            "sla.yaml, line 2: name must match [a-zA-Z0-9_.-]{1,64}: a b",
            "sla.yaml, line 3: selector: at character 16: expected a value in quotes, found '}',"
                + " in checkout{route=}",
            "sla.yaml, line 4: not a known window: 7m; known: 1m, 5m",
            "sla.yaml, line 7: percentiles must rise: 50% comes after 99%",
            "sla.yaml, line 8: not a limit such as 20ms, 1.5s, 64KiB, or 100 for plain numbers:"
                + " fast",
            "sla.yaml, line 11: no such key: colour; known: name, selector, windows, limits,"
                + " objective",
            "sla.yaml, line 13: name is used twice: twice, first in line 9",
            "sla.yaml, line 14: limits contradict each other: if 99% are within 1s, so are 50%,"
                + " whose limit is 2s",
            "sla.yaml, line 16: no such key: rules; known: slas");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "100%: 2s|50%: 1s; line 6: percentiles must rise: 50% comes after 100%",
        "50%: 1s|50.0%: 1s|100%: 2s; line 6: percentiles must rise: 50% comes after 50%",
        "50%: 1s|50%: 1s|100%: 2s; line 6: given twice: 50%",
        "99%: 1s; 'line 4: limits must have a row 100%, which says what must never be exceeded;"
            + " where nothing says so, 100%: none'",
        "100%: none; line 4: limits must have a row besides 100%: none",
        "99%: none|100%: 1s; line 5: 99%: only 100% may be none",
        "99%: None|100%: 1s; line 5: 99%: only 100% may be none",
        "100%: none|100.0%: 1s; line 4: given twice: 100%",
        "50%: 1s|100%: nothing; line 6: not a limit such as 20ms, 1.5s, 64KiB, or 100 for plain"
            + " numbers: nothing",
        "50: 1s|100%: 2s; line 5: not a percentile such as 99.9%: 50",
        "101%: 1s; line 5: percentile must be above 0 and at most 100: 101",
        "0%: 1s|100%: 1s; line 5: percentile must be above 0 and at most 100: 0",
        "50%: 0ms|100%: 1s; line 5: limit must be above 0: 0ms",
        "50%: 1s|100%: 4KiB; line 6: limits must all be durations, all sizes or all plain numbers:"
            + " 1s and 4KiB",
        "50%: 1s|100%: 2sec; line 6: not a limit such as 20ms, 1.5s, 64KiB, or 100 for plain"
            + " numbers: 2sec",
        "50%: [1s]|100%: 2s; line 5: 50%: must be a limit such as 20ms",
      })
  void parse_badLimits_areNamedWithTheirLine(String rows, String expected) {
    assertThat(problems(withLimits(rows.split("\\|", -1)))).contains("sla.yaml, " + expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"100%: none", "100 %: none", "100.0%: none", "100%: None", "100%: ' NONE '"})
  void parse_noMaximumHoweverWritten_hasTheOtherRowsAlone(String row) throws Exception {
    assertThat(parse(withLimits("99%: 1s", row)).get(0).limits())
        .extracting(SlaLimit::percentileText)
        .containsExactly("99%");
  }

  @Test
  void parse_objectiveOfNoRow_isRefused() {
    String rule = withLimits("99%: 1s", "100%: 2s");

    assertThat(problems(rule + "    objective: 99.9%\n"))
        .containsExactly(
            "sla.yaml, line 7: objective must be a percentile of the table below 100%, whose row"
                + " the error budget is of: 99.9%");
    assertThat(problems(rule + "    objective: 100%\n")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'slas: [';not YAML",
        "'slas: 7';slas must be a list",
        "'[1]';the file must be a mapping",
        "'slas: [7]';a rule must be a mapping",
        "'slas:\n  - {name: a, selector: a}';limits are missing",
        "'slas:\n  - {name: a, selector: [a], limits: {100%: 1s}}';selector must be a text",
        "'slas:\n  - {name: a, selector: a, windows: [], limits: {100%: 1s}}';windows must name"
      })
  void parse_wrongShape_isNamed(String yaml, String expected) {
    assertThat(problems(yaml)).anyMatch(problem -> problem.contains(expected));
  }

  @Test
  void read_fileThatIsNotThere_saysSo(@TempDir Path folder) {
    Path file = folder.resolve("none.yaml");

    assertThat(
            catchThrowableOfType(SlaFileException.class, () -> SlaFile.read(file, WINDOWS))
                .problems())
        .singleElement()
        .asString()
        .isEqualTo("no such file: " + file);
  }

  @Test
  void read_hugeFile_isRefusedUnread(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("huge.yaml"), new byte[(1 << 20) + 1]);

    assertThat(
            catchThrowableOfType(SlaFileException.class, () -> SlaFile.read(file, WINDOWS))
                .problems())
        .containsExactly("must have at most 1048576 bytes, has 1048577: " + file);
  }
}
