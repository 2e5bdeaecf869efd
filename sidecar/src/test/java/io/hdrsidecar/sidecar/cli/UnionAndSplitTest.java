package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What union and split write, read by HdrHistogram. */
class UnionAndSplitTest {
  @TempDir Path folder = Path.of("set by JUnit");

  private static Histogram sum(List<EncodableHistogram> intervals, @Nullable String tag) {
    Histogram sum = null;
    for (EncodableHistogram interval : intervals) {
      if (Objects.equals(interval.getTag(), tag)) {
        if (sum == null) {
          sum = ((Histogram) interval).copy();
          sum.reset();
          sum.setAutoResize(true);
        }
        sum.add((Histogram) interval);
      }
    }
    return Objects.requireNonNull(sum, "no interval with tag " + tag);
  }

  @Test
  void union_byFile_keepsEveryIntervalInOrder() throws Exception {
    Path out = folder.resolve("union.hlog");
    List<EncodableHistogram> tagged = Fixtures.intervals(Fixtures.path(Fixtures.TAGGED));
    List<EncodableHistogram> ycsb = Fixtures.intervals(Fixtures.path(Fixtures.YCSB));

    LogToolRun run =
        LogToolRun.of(
            "union",
            "-o",
            out,
            "READ=" + Fixtures.path(Fixtures.TAGGED),
            "LOAD=" + Fixtures.path(Fixtures.YCSB));

    assertThat(run.exitCode()).isZero();
    List<EncodableHistogram> union = Fixtures.intervals(out);
    assertThat(union).hasSize(tagged.size() + ycsb.size());
    assertThat(union)
        .isSortedAccordingTo((a, b) -> Long.compare(a.getStartTimeStamp(), b.getStartTimeStamp()));
    assertThat(sum(union, "LOAD")).isEqualTo(sum(ycsb, null));
    assertThat(sum(union, "READ")).isEqualTo(sum(tagged, null));
    assertThat(sum(union, "READ::A")).isEqualTo(sum(tagged, "A"));
    assertThat(Files.readString(out).lines().skip(2).findFirst())
        .hasValueSatisfying(line -> assertThat(line).startsWith("#[BaseTime: 0.000"));
  }

  @Test
  void union_withInterval_addsUpWithoutLoss() throws Exception {
    Path out = folder.resolve("union.hlog");
    List<EncodableHistogram> alone = Fixtures.intervals(Fixtures.path(Fixtures.V2));

    LogToolRun.of("union", "--interval", "10s", "-o", out, Fixtures.path(Fixtures.V2));

    List<EncodableHistogram> union = Fixtures.intervals(out);
    assertThat(union).hasSizeBetween(6, 8);
    assertThat(sum(union, null)).isEqualTo(sum(alone, null));
    for (EncodableHistogram slot : union) {
      Histogram expected = null;
      for (EncodableHistogram interval : alone) {
        long middle = (interval.getStartTimeStamp() + interval.getEndTimeStamp()) / 2;
        if (middle / 10_000 == (slot.getStartTimeStamp() + slot.getEndTimeStamp()) / 2 / 10_000) {
          expected = expected == null ? ((Histogram) interval).copy() : plus(expected, interval);
        }
      }
      assertThat(slot).isEqualTo(expected);
    }
  }

  private static Histogram plus(Histogram sum, EncodableHistogram interval) {
    sum.setAutoResize(true);
    sum.add((Histogram) interval);
    return sum;
  }

  @Test
  void union_ofTwoLayouts_writesALineForEach() throws Exception {
    Path out = folder.resolve("union.hlog");
    Path ycsb = folder.resolve("ycsb.hlog"); // without the comment that tells another unit
    String text = Fixtures.text(Fixtures.path(Fixtures.YCSB));
    Files.writeString(ycsb, text.replaceAll("(?m)^#\\[Logging for: .*\\R", ""));

    LogToolRun.of(
        "union", "--relative", "--interval", "1d", "-o", out, Fixtures.path(Fixtures.V2), ycsb);

    List<EncodableHistogram> union = Fixtures.intervals(out);
    assertThat(union).hasSize(2);
    assertThat(union)
        .containsExactlyInAnyOrder(
            sum(Fixtures.intervals(Fixtures.path(Fixtures.V2)), null),
            sum(Fixtures.intervals(Fixtures.path(Fixtures.YCSB)), null));
  }

  @Test
  void union_ofFloatingPointValues_addsUpWithoutLoss() throws Exception {
    Path log = folder.resolve("double.hlog");
    DoubleHistogram sum = new DoubleHistogram(2);
    try (ClosingLogWriter writer = new ClosingLogWriter(log)) {
      for (int i = 0; i < 10; i++) {
        DoubleHistogram interval = new DoubleHistogram(2);
        for (int n = 1; n < 50; n++) {
          interval.recordValue(n * Math.pow(3, i) / 1000);
          sum.recordValue(n * Math.pow(3, i) / 1000);
        }
        writer.outputIntervalHistogram(i, i + 1.0, interval, 1);
      }
    }
    Path out = folder.resolve("union.hlog");

    LogToolRun run = LogToolRun.of("union", "--interval", "1m", "-o", out, log);

    assertThat(run.err()).isEmpty();
    DoubleHistogram union = (DoubleHistogram) Fixtures.intervals(out).get(0);
    assertThat(union.getTotalCount()).isEqualTo(490);
    for (double percentile = 0; percentile <= 100; percentile += 0.25) {
      assertThat(union.getValueAtPercentile(percentile))
          .isEqualTo(sum.getValueAtPercentile(percentile));
    }
  }

  @Test
  void split_byTag_keepsHistogramsAndTimes() throws Exception {
    LogToolRun run = LogToolRun.of("split", "-d", folder, Fixtures.path(Fixtures.TAGGED));

    assertThat(run.exitCode()).isZero();
    List<EncodableHistogram> all = Fixtures.intervals(Fixtures.path(Fixtures.TAGGED));
    for (String tag : new String[] {"default", "A"}) {
      String wanted = tag.equals("A") ? "A" : null;
      List<EncodableHistogram> expected =
          all.stream().filter(one -> Objects.equals(one.getTag(), wanted)).toList();
      List<EncodableHistogram> written =
          Fixtures.intervals(folder.resolve(tag + "." + Fixtures.TAGGED));
      assertThat(written).isEqualTo(expected).hasSize(21);
      for (int i = 0; i < written.size(); i++) {
        // HdrHistogram cuts off what this project's reader rounds.
        assertThat(written.get(i).getStartTimeStamp() - expected.get(i).getStartTimeStamp())
            .isBetween(-1L, 1L);
        assertThat(written.get(i).getTag()).isNull();
      }
    }
  }

  @Test
  void split_tagsThatLookLikePaths_stayInTheFolder() throws IOException {
    String line =
        Fixtures.text(Fixtures.path(Fixtures.V2)).lines().skip(4).findFirst().orElseThrow();
    Path log = folder.resolve("log.hlog");
    Files.writeString(log, "Tag=../up," + line + "\nTag=default," + line + "\n" + line + "\n");
    Path target = Files.createDirectory(folder.resolve("target"));

    assertThat(LogToolRun.of("split", "-d", target, log).exitCode()).isZero();

    try (var files = Files.list(target)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "%2e.%2fup.log.hlog", "%64efault.log.hlog", "default.log.hlog");
    }
  }

  @Test
  void union_ontoItsInput_isRefused() throws Exception {
    Path log = folder.resolve("log.hlog");
    Files.copy(Fixtures.path(Fixtures.V2), log);

    LogToolRun run = LogToolRun.of("union", "-o", log, log);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("give the output another name");
    assertThat(Files.readString(log)).isEqualTo(Fixtures.text(Fixtures.path(Fixtures.V2)));
  }
}
