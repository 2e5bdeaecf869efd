package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportAndDiffTest {
  @TempDir Path folder = Path.of("set by JUnit");

  private Path imported(Object... arguments) throws Exception {
    Path out = folder.resolve("imported.hlog");
    Object[] all = new Object[arguments.length + 3];
    all[0] = "import";
    all[1] = "-o";
    all[2] = out;
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    LogToolRun run = LogToolRun.of(all);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    return out;
  }

  @Test
  void import_timesAndLatencies_isWhatHdrHistogramRecords() throws Exception {
    Path text = folder.resolve("latencies.txt");
    SplittableRandom random = new SplittableRandom(5);
    Histogram[] expected = {new Histogram(3), new Histogram(3), new Histogram(3)};
    StringBuilder lines = new StringBuilder("time,latency\n# not in order\n");
    for (int i = 0; i < 3000; i++) {
      int micros = random.nextInt(1, 1_000_000);
      int second = i / 1000;
      expected[second].recordValue(micros * 1000L);
      lines.append(
          String.format(
              Locale.ROOT,
              "%d.%03d,%d.%03d%n",
              1_700_000_000 + second,
              i * 7 % 1000,
              micros / 1000,
              micros % 1000));
    }
    Files.writeString(text, lines);

    List<EncodableHistogram> intervals = Fixtures.intervals(imported("--unit", "ms", text));

    assertThat(intervals).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(intervals.get(i)).isEqualTo(expected[i]);
      assertThat(intervals.get(i).getStartTimeStamp()).isEqualTo((1_700_000_000L + i) * 1000);
      assertThat(intervals.get(i).getEndTimeStamp()).isEqualTo((1_700_000_001L + i) * 1000);
    }
  }

  @Test
  void import_unreadableLines_areToldAndLeftOut() throws Exception {
    Path text = folder.resolve("latencies.txt");
    Files.writeString(
        text, "1700000000 5\n1700000000\n1700000000 -3\nx 5\n2023-11-14T22:13:21Z 7\n1e99 1\n");

    LogToolRun run = LogToolRun.of("import", "--tag", "T", text);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines())
        .hasSize(4)
        .anyMatch(line -> line.startsWith(text + ":2: line left out: expected a time in column 1"))
        .anyMatch(line -> line.startsWith(text + ":3: "))
        .anyMatch(line -> line.startsWith(text + ":4: "))
        .anyMatch(line -> line.startsWith(text + ":6: "));
    assertThat(run.out().lines().filter(line -> line.startsWith("Tag=T,170000000"))).hasSize(2);
  }

  /** What the author of wrk2 published, and what stands in it. */
  @Test
  void import_distributionOfWrk2_keepsCountAndPercentiles() throws Exception {
    Path log = imported("--at", "@0", Fixtures.resource("/hgrm/12Krps.hgrm"));

    Histogram histogram = (Histogram) Fixtures.intervals(log).get(0);

    assertThat(histogram.getTotalCount()).isEqualTo(3_477_000);
    assertThat(histogram.getValueAtPercentile(50) / 1e6).isBetween(4.919, 4.919 * 1.001);
    assertThat(histogram.getValueAtPercentile(10) / 1e6).isBetween(2.845, 2.845 * 1.001);
    assertThat(histogram.getMaxValue() / 1e6).isBetween(64.767, 64.767 * 1.001);
  }

  @Test
  void import_ownDistribution_tellsNoPercentileTooLow() throws Exception {
    Path log = Fixtures.path(Fixtures.YCSB);
    Path hgrm = folder.resolve("out.hgrm");
    Files.writeString(hgrm, LogToolRun.of("summarize", "-f", "hgrm", "--ticks", "100", log).out());
    LogToolRun original = LogToolRun.of("summarize", log);

    LogToolRun back = LogToolRun.of("summarize", imported("--unit", "none", hgrm));

    for (String figure : List.of("TotalCount", "Max")) {
      assertThat(back.figure(figure)).isEqualTo(original.figure(figure));
    }
    for (String percentile : List.of("50.000", "90.000", "99.000", "99.900")) {
      long recorded = Long.parseLong(original.figure(percentile + "ptile"));
      assertThat(Long.parseLong(back.figure(percentile + "ptile")))
          .isBetween(recorded, recorded + recorded / 50);
    }
  }

  @Test
  void import_uncorrectedOfWrk2_getsItsOwnTag() throws Exception {
    String table =
        """
               Value   Percentile   TotalCount 1/(1-Percentile)

               1.000     0.500000            5         2.00
               2.000     1.000000           10          inf
        #[Max     =        2.000, Total count    =           10]
        #[Buckets =           27, SubBuckets     =         2048]
        """;
    Path text = folder.resolve("wrk2.txt");
    Files.writeString(
        text,
        "  Latency Distribution (HdrHistogram - Recorded Latency)\n"
            + table
            + "----------\n"
            + "  Latency Distribution (HdrHistogram - Uncorrected Latency (measured without taking"
            + " delayed starts into account))\n"
            + table);

    List<EncodableHistogram> intervals = Fixtures.intervals(imported("--at", "@0", text));

    assertThat(intervals)
        .extracting(EncodableHistogram::getTag)
        .containsExactly(null, "uncorrected");
    assertThat(intervals).allMatch(one -> ((Histogram) one).getTotalCount() == 10);
  }

  @Test
  void import_distributionThatDoesNotAddUp_isRefused() throws Exception {
    Path text = folder.resolve("broken.hgrm");
    Files.writeString(
        text,
        """
        Value Percentile TotalCount 1/(1-Percentile)
        1.000 1.000000 10 inf
        #[Max     =        1.000, Total count    =           11]
        """);

    LogToolRun run = LogToolRun.of("import", "--at", "@0", text);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(text + ":3: ", "the rows count 10 values, but the text says 11");
  }

  @Test
  void diff_tagWithTheSameIntervals_saysSameBuckets() {
    LogToolRun run =
        LogToolRun.of("diff", Fixtures.path(Fixtures.TAGGED), "--a-tag", "", "--b-tag", "A");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("same buckets").containsPattern("count +16145 +16145 +1\\.0000");
  }

  @Test
  void diff_oneCountMore_saysDifferentBuckets() throws Exception {
    Histogram sum = (Histogram) Fixtures.intervals(Fixtures.path(Fixtures.V2)).get(0);
    Path shorter = folder.resolve("shorter.hlog");
    List<String> lines = Fixtures.text(Fixtures.path(Fixtures.V2)).lines().toList();
    Files.write(shorter, lines.subList(0, 5));

    LogToolRun run =
        LogToolRun.of("diff", "--percentiles", "50", shorter, Fixtures.path(Fixtures.V2));

    assertThat(run.out()).contains("different buckets");
    String[] median =
        run.out()
            .lines()
            .filter(line -> line.startsWith("50 %"))
            .findFirst()
            .orElseThrow()
            .split(" +");
    assertThat(Arrays.copyOfRange(median, 2, 5))
        .containsExactly("" + sum.getValueAtPercentile(50), "344063", "1.0000");
  }

  @Test
  void csv_everyRow_isItsInterval() throws Exception {
    List<EncodableHistogram> intervals = Fixtures.intervals(Fixtures.path(Fixtures.TAGGED));

    List<String> rows = LogToolRun.of("csv", Fixtures.path(Fixtures.TAGGED)).out().lines().toList();

    assertThat(rows.get(0))
        .isEqualTo("Tag,Start,Length,Count,Throughput,Min,Mean,p50,p90,p95,p99,p99.9,p99.99,Max");
    assertThat(rows).hasSize(intervals.size() + 1);
    for (int i = 0; i < intervals.size(); i++) {
      Histogram interval = (Histogram) intervals.get(i);
      String[] cells = rows.get(i + 1).split(",", -1);
      assertThat(cells[0]).isEqualTo(interval.getTag() == null ? "" : interval.getTag());
      assertThat(cells[3]).isEqualTo("" + interval.getTotalCount());
      assertThat(cells[5]).isEqualTo("" + interval.getMinValue());
      assertThat(cells[7]).isEqualTo("" + interval.getValueAtPercentile(50));
      assertThat(cells[12]).isEqualTo("" + interval.getValueAtPercentile(99.99));
      assertThat(cells[13]).isEqualTo("" + interval.getMaxValue());
    }
  }

  @Test
  void tags_listsEachWithItsFigures() {
    assertThat(LogToolRun.of("tags", Fixtures.path(Fixtures.TAGGED)).out().lines())
        .hasSize(3)
        .anyMatch(line -> line.matches("\\[no tag\\] +21 +16145 2015-09-09T15:24:39.601Z .*"))
        .anyMatch(line -> line.matches("A +21 +16145 2015-09-09T15:24:39.601Z .*"));
  }
}
