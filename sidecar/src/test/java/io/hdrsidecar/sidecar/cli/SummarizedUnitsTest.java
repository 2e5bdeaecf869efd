package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which unit summarize shows values, and that no tool adds up values of different units. */
class SummarizedUnitsTest {
  private static final Path NANOS = Fixtures.path(Fixtures.V2);
  private static final Path MICROS = Fixtures.path(Fixtures.YCSB);

  @ParameterizedTest
  @CsvSource({"1, ns", "1000, us", "1000000, ms", "1000000000, s", "50, 50 ns"})
  void summarize_ofJHiccup_showsNanosecondsDividedByTheRatio(String ratio, String unit) {
    assertThat(LogToolRun.of("summarize", "--ratio", ratio, NANOS).figure("Unit")).isEqualTo(unit);
  }

  @Test
  void summarize_ofOthers_saysWhatIsKnown() {
    assertThat(LogToolRun.of("summarize", MICROS).figure("Unit")).isEqualTo("us");
    String line =
        Fixtures.text(NANOS)
            .lines()
            .filter(one -> one.startsWith("0.127"))
            .findFirst()
            .orElseThrow();
    byte[] other = line.getBytes(StandardCharsets.US_ASCII); // no comment names its writer
    assertThat(LogToolRun.withInput(other, "summarize").figure("Unit")).isEqualTo("unknown");
    assertThat(LogToolRun.withInput(other, "summarize", "--unit", "bytes").figure("Unit"))
        .isEqualTo("bytes");
  }

  @Test
  void summarize_ofTwoUnits_keepsTheFirstAndSaysWhatToDo() {
    LogToolRun run = LogToolRun.of("summarize", NANOS, MICROS);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains(
            MICROS + ":5: line left out: its values are in us, those before in ns; summarize them");
    assertThat(run.figure("TotalCount")).isEqualTo("48761");
    LogToolRun together = LogToolRun.of("summarize", "--unit", "ns", NANOS, MICROS);
    assertThat(together.exitCode()).isZero();
    assertThat(together.figure("TotalCount")).isEqualTo("" + (48_761 + 300_056));
  }

  @ParameterizedTest
  @CsvSource({
    "buckets, list them apart",
    "csv, list them apart",
    "diff, compare logs of one unit",
    "process, process them apart",
    "union, give each unit a tag: TAG=FILE"
  })
  void otherTool_onTwoUnits_leavesOutTheSecondAndSaysWhatToDo(String tool, String advice) {
    LogToolRun run = LogToolRun.of(tool, NANOS, MICROS);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("line left out: its values are in ").contains("; " + advice);
  }

  @Test
  void buckets_ofTwoUnits_countsTheFirstAlone() {
    assertThat(counted("buckets", NANOS, MICROS)).isEqualTo(48_761);
    assertThat(counted("buckets", "--unit", "ns", NANOS, MICROS)).isEqualTo(48_761 + 300_056);
  }

  /** Its columns have one head for all rows. */
  @Test
  void csv_ofTwoUnits_hasRowsOfTheFirstAlone() {
    long ofFirst = LogToolRun.of("csv", NANOS).out().lines().count();
    long ofBoth = ofFirst + LogToolRun.of("csv", MICROS).out().lines().count() - 1;

    assertThat(LogToolRun.of("csv", NANOS, MICROS).out()).hasLineCount((int) ofFirst);
    LogToolRun together = LogToolRun.of("csv", "--unit", "ns", NANOS, MICROS);
    assertThat(together.exitCode()).isZero();
    assertThat(together.out()).hasLineCount((int) ofBoth);
  }

  private static long counted(Object... arguments) {
    return LogToolRun.of(arguments)
        .out()
        .lines()
        .skip(1)
        .mapToLong(row -> Long.parseLong(row.substring(row.lastIndexOf(',') + 1)))
        .sum();
  }

  @Test
  void union_ofTwoUnitsUnderTwoTags_keepsAll() {
    assertThat(LogToolRun.of("union", "a=" + NANOS, "b=" + MICROS).exitCode()).isZero();
  }
}
