package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SummarizeCommandTest {
  @TempDir Path folder = Path.of("set by JUnit");

  /** The intervals of one layout, added by HdrHistogram, which is exact then. */
  private static Histogram sum(List<EncodableHistogram> intervals) {
    Histogram sum = ((Histogram) intervals.get(0)).copy();
    sum.setAutoResize(true);
    intervals.subList(1, intervals.size()).forEach(one -> sum.add((Histogram) one));
    return sum;
  }

  private static String distribution(Histogram histogram, double ratio) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    histogram.outputPercentileDistribution(
        new PrintStream(bytes, true, StandardCharsets.UTF_8), ratio);
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {Fixtures.V0, Fixtures.V1, Fixtures.V2, Fixtures.YCSB})
  void summarize_aLogOfOthers_isWhatHdrHistogramAddsUp(String log) throws Exception {
    Histogram expected = sum(Fixtures.intervals(Fixtures.path(log)));

    LogToolRun run = LogToolRun.of("summarize", Fixtures.path(log));

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.figure("TotalCount")).isEqualTo("" + expected.getTotalCount());
    assertThat(run.figure("Min")).isEqualTo("" + expected.getMinValue());
    assertThat(run.figure("50.000ptile")).isEqualTo("" + expected.getValueAtPercentile(50));
    assertThat(run.figure("99.990ptile")).isEqualTo("" + expected.getValueAtPercentile(99.99));
    assertThat(run.figure("Max")).isEqualTo("" + expected.getMaxValue());
    assertThat(Double.parseDouble(run.figure("Mean"))).isCloseTo(expected.getMean(), offset(0.005));
    assertThat(
            LogToolRun.of("summarize", "-f", "hgrm", "--ratio", "1000", Fixtures.path(log)).out())
        .isEqualTo(distribution(expected, 1000));
  }

  /** HdrHistogram's add makes 327935 of this median, law 2. */
  @Test
  void summarize_logsOfTwoLayouts_movesNoValue() throws Exception {
    Path fine = folder.resolve("fine.hlog");
    try (ClosingLogWriter writer = new ClosingLogWriter(fine)) {
      Histogram one = new Histogram(1, 3_600_000_000_000L, 3);
      one.recordValue(1);
      writer.outputIntervalHistogram(1.0, 2.0, one, 1e6);
    }
    List<EncodableHistogram> intervals = Fixtures.intervals(Fixtures.path(Fixtures.V2));
    List<Long> values = new ArrayList<>(List.of(1L));
    Histogram lossy = new Histogram(1, 3_600_000_000_000L, 3);
    lossy.recordValue(1);
    for (EncodableHistogram interval : intervals) {
      ((Histogram) interval)
          .recordedValues()
          .forEach(
              bucket ->
                  values.addAll(
                      Collections.nCopies(
                          (int) bucket.getCountAtValueIteratedTo(), bucket.getValueIteratedTo())));
      lossy.add((Histogram) interval);
    }
    Collections.sort(values);
    int rank = (int) Math.ceil(values.size() / 2.0);

    LogToolRun run = LogToolRun.of("summarize", fine, Fixtures.path(Fixtures.V2));

    assertThat(run.figure("TotalCount")).isEqualTo("" + values.size());
    assertThat(run.figure("50.000ptile")).isEqualTo("" + values.get(rank - 1)).isEqualTo("344063");
    assertThat(lossy.getValueAtPercentile(50)).isEqualTo(327935);
    assertThat(run.figure("Max")).isEqualTo("" + values.get(values.size() - 1));
  }

  @Test
  void summarize_tags_arePartedOrJoinedOrChosen() {
    Path log = Fixtures.path(Fixtures.TAGGED);

    LogToolRun parted = LogToolRun.of("summarize", log);
    assertThat(parted.figure("TotalCount")).isEqualTo("16145");
    assertThat(parted.figure("A.TotalCount")).isEqualTo("16145");
    assertThat(LogToolRun.of("summarize", "--all-tags", log).figure("TotalCount"))
        .isEqualTo("32290");
    assertThat(LogToolRun.of("summarize", "--include-tag", "[A-C]", log).out())
        .startsWith("A.TotalCount=16145")
        .doesNotContain("\nTotalCount");
    assertThat(LogToolRun.of("summarize", "--exclude-tag", "A", log).out()).doesNotContain("A.");
    LogToolRun none = LogToolRun.of("summarize", "--include-tag", "B", log);
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err()).startsWith(log + ": none of its 42 intervals was selected");
  }

  @Test
  void summarize_range_relativeOrAbsolute_isTheSame() throws Exception {
    Path log = Fixtures.path(Fixtures.V2);
    long expected = 0;
    for (EncodableHistogram interval : Fixtures.intervals(log)) {
      double offset = interval.getStartTimeStamp() / 1000.0 - 1441812279.474;
      expected += offset > 10 && offset < 20 ? ((Histogram) interval).getTotalCount() : 0;
    }

    LogToolRun relative = LogToolRun.of("summarize", "--start", "10", "--end", "20", log);
    assertThat(relative.figure("TotalCount")).isEqualTo("" + expected);
    assertThat(
            LogToolRun.of("summarize", "--start=@1441812289.474", "--end=@1441812299.474", log)
                .out())
        .isEqualTo(relative.out());
    assertThat(
            LogToolRun.of(
                    "summarize",
                    "--start=2015-09-09T15:24:49.474Z",
                    "--end=2015-09-09T17:24:59.474+02:00",
                    log)
                .out())
        .isEqualTo(relative.out());
  }

  @Test
  void summarize_periods_countTimeOnceThatLogsCoverTogether() throws Exception {
    Path first = logOf("first.hlog", 0, 10);
    Path beside = logOf("beside.hlog", 5, 15);
    Path later = logOf("later.hlog", 100, 105);

    LogToolRun run = LogToolRun.of("summarize", first, beside, later);

    assertThat(run.figure("Period(ms)")).isEqualTo("20000");
    assertThat(run.figure("TotalCount")).isEqualTo("25");
    assertThat(run.figure("Throughput(ops/sec)")).isEqualTo("1.25");
  }

  private Path logOf(String name, int fromSecond, int toSecond) throws IOException {
    Path log = folder.resolve(name);
    try (ClosingLogWriter writer = new ClosingLogWriter(log)) {
      Histogram one = new Histogram(3);
      one.recordValue(1000);
      writer.outputStartTime(1_700_000_000_000L);
      for (int i = fromSecond; i < toSecond; i++) {
        writer.outputIntervalHistogram(1_700_000_000.0 + i, 1_700_000_001.0 + i, one, 1);
      }
    }
    return log;
  }

  @Test
  void summarize_tornGzip_usesWhatComesBeforeAndSaysSo() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      Files.copy(Fixtures.path(Fixtures.YCSB), out);
    }
    Path torn = folder.resolve("torn.hlog.gz");
    byte[] all = bytes.toByteArray();
    Files.write(torn, Arrays.copyOf(all, all.length / 2));

    LogToolRun run = LogToolRun.of("summarize", torn);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).startsWith(torn + ": reading stops after line ");
    assertThat(Long.parseLong(run.figure("TotalCount"))).isBetween(50_000L, 250_000L);
  }

  @Test
  void summarize_missingFile_usesTheOthers() {
    LogToolRun run =
        LogToolRun.of("summarize", folder.resolve("none.hlog"), Fixtures.path(Fixtures.V2), folder);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("none.hlog: no such file", "is a directory");
    assertThat(run.figure("TotalCount")).isEqualTo("48761");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--start=soon",
        "--ratio=0",
        "--ticks=0",
        "--percentiles=50,101",
        "--include-tag=(",
        "--format=xml",
        "--bucket-size=0",
        "--expected-interval=-1",
        "--no-such-option"
      })
  void summarize_wrongOption_isAWrongCall(String option) {
    LogToolRun run = LogToolRun.of("summarize", option, Fixtures.path(Fixtures.V2));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("Usage:");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 7, 42})
  void summarize_corrected_isWhatHdrHistogramCorrects(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Histogram recorded = new Histogram(1, 3_600_000_000_000L, 2);
    Path log = folder.resolve("stalled.hlog");
    try (ClosingLogWriter writer = new ClosingLogWriter(log)) {
      for (int i = 0; i < 5; i++) {
        Histogram interval = new Histogram(1, 3_600_000_000_000L, 2);
        for (int n = 0; n < 50; n++) {
          interval.recordValueWithCount(random.nextLong(1L << random.nextInt(1, 24)), 1 + n % 3);
        }
        recorded.add(interval);
        writer.outputIntervalHistogram(i, i + 1.0, interval, 1);
      }
    }
    Histogram corrected = recorded.copyCorrectedForCoordinatedOmission(777);

    LogToolRun run = LogToolRun.of("summarize", "-f", "hgrm", "--expected-interval", "777", log);

    assertThat(run.out())
        .isEqualTo(
            "#[Corrected for coordinated omission, expected interval 777]\n"
                + distribution(corrected, 1));
  }

  /** One by one, the missing values of an hour at a microsecond are 3.6 billion. */
  @Test
  void summarize_hourCorrectedByMicroseconds_endsAndCountsThem() throws Exception {
    Path log = folder.resolve("hour.hlog");
    Histogram interval = new Histogram(1, 3_600_000_000_000L, 3);
    interval.recordValue(3_600_000_000_000L);
    long recorded = interval.getMaxValue(); // a bucket stands for its highest value
    try (ClosingLogWriter writer = new ClosingLogWriter(log)) {
      writer.outputIntervalHistogram(0, 3600, interval, 1);
    }

    LogToolRun run = LogToolRun.of("summarize", "--expected-interval", "1000", log);

    assertThat(run.figure("TotalCount")).isEqualTo("" + recorded / 1000);
  }

  @Test
  void summarize_floatingPointValues_areThoseOfDoubleHistogram() throws Exception {
    DoubleHistogram sum = new DoubleHistogram(3);
    Path log = folder.resolve("double.hlog");
    try (ClosingLogWriter writer = new ClosingLogWriter(log)) {
      SplittableRandom random = new SplittableRandom(3);
      for (int i = 0; i < 30; i++) {
        DoubleHistogram interval = new DoubleHistogram(3);
        for (int n = 0; n < 100; n++) {
          double value = Math.exp(random.nextDouble() * 12 - 6) * (1 << i % 10);
          interval.recordValue(value);
          sum.recordValue(value);
        }
        writer.outputIntervalHistogram(i, i + 1.0, interval, 1);
      }
    }

    LogToolRun run = LogToolRun.of("summarize", "--percentiles", "50,99,99.9999", log);

    assertThat(run.figure("TotalCount")).isEqualTo("3000");
    assertThat(run.figure("50.000ptile")).isEqualTo(decimals(sum.getValueAtPercentile(50)));
    assertThat(run.figure("99.000ptile")).isEqualTo(decimals(sum.getValueAtPercentile(99)));
    assertThat(run.figure("99.9999ptile")).isEqualTo(decimals(sum.getValueAtPercentile(99.9999)));
    assertThat(run.figure("Max")).isEqualTo(decimals(sum.getMaxValue()));
  }

  private static String decimals(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  @Test
  void summarize_kindsInOneResult_keepsTheFirstAndSaysWhatToDo() throws Exception {
    Path log = folder.resolve("double.hlog");
    DoubleHistogram interval = new DoubleHistogram(3);
    interval.recordValue(0.5);
    try (ClosingLogWriter writer = new ClosingLogWriter(log)) {
      writer.outputIntervalHistogram(0, 1, interval, 1);
    }

    LogToolRun run = LogToolRun.of("summarize", Fixtures.path(Fixtures.V2), log);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(log + ":1: line left out: ", "select one kind by tag or file");
    assertThat(run.figure("TotalCount")).isEqualTo("48761");
  }

  @Test
  void summarize_toFiles_writesOneForEachTag() throws Exception {
    LogToolRun run =
        LogToolRun.of(
            "summarize", "-f", "hgrm", "-o", folder.resolve("out"), Fixtures.path(Fixtures.TAGGED));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(Files.readString(folder.resolve("out.hgrm")))
        .isEqualTo(Files.readString(folder.resolve("out.A.hgrm")))
        .contains("Total count    =        16145");
  }

  @Test
  void summarize_buckets_countEachValueOnce() throws Exception {
    Path log = folder.resolve("log.hlog");
    Histogram interval = new Histogram(3);
    for (long value : new long[] {0, 99, 100, 150, 199, 200, 1000}) {
      interval.recordValue(value);
    }
    try (ClosingLogWriter writer = new ClosingLogWriter(log)) {
      writer.outputIntervalHistogram(0, 1, interval, 1);
    }

    assertThat(LogToolRun.of("summarize", "-f", "buckets", log).out())
        .isEqualTo("BucketStart,Count\n0,2\n100,3\n200,1\n1000,1\n");
  }
}
