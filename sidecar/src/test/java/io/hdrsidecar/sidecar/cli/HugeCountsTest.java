package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts that pass 2^63 - 1 only together: the line that does not fit is told by file and line. */
class HugeCountsTest {
  private static final long HUGE = 1L << 62;

  @TempDir Path folder = Path.of("set by JUnit");
  private Path log = Path.of("set below");

  @BeforeEach
  void writeLog() throws Exception {
    log = folder.resolve("huge.hlog");
    try (ClosingLogWriter writer = new ClosingLogWriter(log)) {
      for (int second = 0; second < 3; second++) {
        Histogram interval = new Histogram(1, 3_600_000_000_000L, 3);
        interval.recordValueWithCount(100L * (second + 1), HUGE);
        writer.outputIntervalHistogram(second, second + 1.0, interval, 1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"summarize", "process", "buckets"})
  void anyTool_thatAddsUp_leavesOutWhatDoesNotFit(String tool) {
    LogToolRun run = LogToolRun.of(tool, log);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains(log + ":2: line left out: its " + HUGE + " values and the " + HUGE)
        .contains(log + ":3: line left out: ")
        .doesNotContain("long overflow");
    assertThat(run.out()).contains("" + HUGE);
  }

  @Test
  void diff_leavesOutOnEitherSide() {
    LogToolRun run = LogToolRun.of("diff", log, log);

    assertThat(run.err().lines()).hasSize(4).allMatch(line -> line.startsWith(log + ":"));
    assertThat(run.out()).contains("same buckets");
  }

  @Test
  void tags_countThemAll() {
    LogToolRun run = LogToolRun.of("tags", log);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains(BigInteger.valueOf(HUGE).multiply(BigInteger.valueOf(3)) + " ");
  }

  @Test
  void union_writesMoreLinesInsteadOfLosingCounts() throws Exception {
    Path out = folder.resolve("union.hlog");

    LogToolRun run = LogToolRun.of("union", "--interval", "1m", "-o", out, log);

    assertThat(run.err()).isEmpty();
    assertThat(Fixtures.intervals(out))
        .hasSize(3)
        .extracting(EncodableHistogram::getMaxValueAsDouble)
        .containsExactly(100.0, 200.0, 300.0);
    assertThat(Fixtures.intervals(out)).allMatch(one -> ((Histogram) one).getTotalCount() == HUGE);
  }

  @Test
  void summarize_corrected_namesTheLineThatGrowsTooLarge() {
    LogToolRun run = LogToolRun.of("summarize", "--expected-interval", "10", log);

    assertThat(run.err())
        .startsWith(log + ":1: line left out: corrected, it has more values than a count can hold");
  }

  @Test
  void summarize_ofManyLines_hasTheDeviationThatHdrHistogramHas() throws Exception {
    Path jHiccup = Fixtures.path(Fixtures.V2);
    Histogram sum = new Histogram(20_000, 3_600_000_000_000L, 2);
    Fixtures.intervals(jHiccup).forEach(one -> sum.add((Histogram) one));

    LogToolRun run = LogToolRun.of("summarize", jHiccup);

    assertThat(Double.parseDouble(run.figure("StdDev")))
        .isCloseTo(sum.getStdDeviation(), offset(0.005));
  }

  @Test
  void buckets_areThoseOfHdrHistogram() throws Exception {
    Path tagged = Fixtures.path(Fixtures.TAGGED);
    Histogram sum = new Histogram(20_000, 3_600_000_000_000L, 2);
    Fixtures.intervals(tagged).forEach(one -> sum.add((Histogram) one));
    List<String> expected = new ArrayList<>(List.of("Tag,Lowest,Highest,Count"));
    sum.recordedValues()
        .forEach(
            bucket ->
                expected.add(
                    ","
                        + sum.lowestEquivalentValue(bucket.getValueIteratedTo())
                        + ","
                        + sum.highestEquivalentValue(bucket.getValueIteratedTo())
                        + ","
                        + bucket.getCountAtValueIteratedTo()));

    assertThat(LogToolRun.of("buckets", "--all-tags", tagged).out().lines())
        .containsExactlyElementsOf(expected);
    assertThat(LogToolRun.of("buckets", tagged).out()).contains("\nA,", "\n,");
  }

  @Test
  void buckets_ofValuesBeyondDoubles_areExact() throws Exception {
    Path large = folder.resolve("large.hlog");
    Histogram interval = new Histogram(1, Long.MAX_VALUE, 3);
    long value = (1L << 61) + 1;
    interval.recordValue(value);
    try (ClosingLogWriter writer = new ClosingLogWriter(large)) {
      writer.outputIntervalHistogram(0, 1, interval, 1);
    }

    assertThat(LogToolRun.of("buckets", large).out())
        .endsWith(
            ","
                + interval.lowestEquivalentValue(value)
                + ","
                + interval.highestEquivalentValue(value)
                + ",1\n");
  }
}
