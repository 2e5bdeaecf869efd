package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.files.LogStore;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code log explore} makes of files, before anything is served. */
class ExploreCommandTest {
  @TempDir Path folder = Path.of("set by JUnit");

  /** What is in a store, as the explorer is given it. */
  private final Map<String, Map<Long, Long>> totals = new TreeMap<>();

  private final Map<String, Map<Long, Long>> fromFiles = new TreeMap<>();
  private final Map<String, Unit> units = new TreeMap<>();

  private LogToolRun explore(byte[] input, Object... arguments) {
    Object[] all = new Object[arguments.length + 2];
    all[0] = "explore";
    all[1] = "--no-open";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return LogToolRun.withExplorer(
        (logs, port, slaFile, onReady) -> {
          read(logs);
          onReady.accept(URI.create("http://127.0.0.1:1/"));
        },
        input,
        all);
  }

  private LogToolRun explore(Object... arguments) {
    return explore(new byte[0], arguments);
  }

  private void read(LogStore logs) throws IOException {
    for (Series series : logs.store().series()) {
      Distribution total = new Distribution();
      series.readTotal(total);
      totals.put(series.key().toString(), buckets(total));
      units.put(series.key().toString(), series.unit());
    }
    try (PastReading reading =
        logs.store()
            .past()
            .source()
            .open(logs.extent().fromMillis(), logs.extent().toMillis() + 1)) {
      for (PastSeries series : reading.series()) {
        IntervalSum sum = new IntervalSum();
        for (PastInterval interval : reading.intervals(series, Map.of(), Integer.MAX_VALUE - 1)) {
          sum.add(interval);
        }
        Distribution joined = new Distribution();
        sum.counts().addTo(joined);
        fromFiles.put(series.key().toString(), buckets(joined));
      }
    }
  }

  private static Map<Long, Long> buckets(Distribution counts) {
    Map<Long, Long> buckets = new TreeMap<>();
    for (int i = 0; i < counts.size(); i++) {
      // Buckets of different layouts may end at one value.
      buckets.merge(counts.highestAt(i), counts.countAt(i), Long::sum);
    }
    return buckets;
  }

  private static Map<Long, Long> expected(Path log) throws IOException {
    Map<Long, Long> buckets = new TreeMap<>();
    for (EncodableHistogram interval : Fixtures.intervals(log)) {
      Histogram histogram = (Histogram) interval;
      histogram
          .recordedValues()
          .forEach(
              v -> buckets.merge(v.getValueIteratedTo(), v.getCountAtValueIteratedTo(), Long::sum));
    }
    return buckets;
  }

  @Test
  void explore_ofOneLog_namesTheSeriesAfterIt() throws IOException {
    LogToolRun run = explore(Fixtures.path(Fixtures.V2));

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("1 series from 2015-09-09T15:24:39").contains("http://");
    assertThat(totals).containsOnlyKeys("jHiccup_2_0_7S_logV2");
    assertThat(totals).containsEntry("jHiccup_2_0_7S_logV2", expected(Fixtures.path(Fixtures.V2)));
    assertThat(fromFiles).isEqualTo(totals);
  }

  @Test
  void explore_ofLogsOfDifferentDigits_keepsThemAsTheyWere() throws IOException {
    explore(Fixtures.path(Fixtures.V2), Fixtures.path(Fixtures.YCSB));

    String jhiccup = "jHiccup_2_0_7S_logV2{file=\"" + Fixtures.V2 + "\"}";
    String ycsb = "ycsb_logV1{file=\"" + Fixtures.YCSB + "\"}";
    assertThat(totals).containsOnlyKeys(jhiccup, ycsb);
    assertThat(totals).containsEntry(jhiccup, expected(Fixtures.path(Fixtures.V2)));
    assertThat(totals).containsEntry(ycsb, expected(Fixtures.path(Fixtures.YCSB)));
    assertThat(fromFiles).isEqualTo(totals);
  }

  @Test
  void explore_ofLayoutsInOneLog_joinsThemAtTheHighestValueOfTheirBuckets() throws IOException {
    Path log = folder.resolve("both.hlog");
    Map<Long, Long> expected = new TreeMap<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLogWriter writer = new HistogramLogWriter(bytes);
    writer.outputStartTime(1_000_000);
    writer.setBaseTime(1_000_000);
    for (int digits = 1; digits <= 4; digits++) {
      Histogram histogram = new Histogram(1, 1L << 40, digits);
      histogram.setStartTimeStamp(1_000_000 + 1000L * digits);
      histogram.setEndTimeStamp(1_001_000 + 1000L * digits);
      for (long value = 1; value < 1L << 39; value = value * 3 + 1) {
        histogram.recordValue(value);
        expected.merge(histogram.highestEquivalentValue(value), 1L, Long::sum);
      }
      writer.outputIntervalHistogram(histogram);
    }
    writer.close();
    Files.write(log, bytes.toByteArray());

    explore(log);

    assertThat(totals).containsOnly(Map.entry("both", expected));
    assertThat(fromFiles).isEqualTo(totals);
  }

  @Test
  void explore_ofTagsThatAreNoNames_keepsThemInALabel() throws IOException {
    String text =
        Fixtures.text(Fixtures.path(Fixtures.TAGGED)).replace("Tag=A,", "Tag=GET:/pay-now,");
    Path log = Files.writeString(folder.resolve("2nd.hlog"), text);

    explore(log);

    Set<String> names = new TreeSet<>(totals.keySet());
    assertThat(names).containsExactly("GET:_pay_now{tag=\"GET:/pay-now\"}", "_2nd");
  }

  @Test
  void explore_ofATagThatIsTheNameOfTheFile_isASeriesOfItsOwn() throws IOException {
    Path log = Files.copy(Fixtures.path(Fixtures.TAGGED), folder.resolve("A.hlog"));
    Map<Long, Long> untagged = new TreeMap<>();
    Map<Long, Long> tagged = new TreeMap<>();
    for (EncodableHistogram interval : Fixtures.intervals(log)) {
      Map<Long, Long> counts = interval.getTag() == null ? untagged : tagged;
      ((Histogram) interval)
          .recordedValues()
          .forEach(
              v -> counts.merge(v.getValueIteratedTo(), v.getCountAtValueIteratedTo(), Long::sum));
    }

    LogToolRun run = explore(log);

    assertThat(run.out()).startsWith("2 series from ");
    assertThat(untagged).isNotEmpty();
    assertThat(totals).containsOnly(Map.entry("A", untagged), Map.entry("A{tag=\"A\"}", tagged));
    assertThat(fromFiles).isEqualTo(totals);
  }

  @Test
  void explore_ofStandardInput_leavesNoCopyBehind() throws IOException {
    byte[] input = Files.readAllBytes(Fixtures.path(Fixtures.V1));

    LogToolRun run = explore(input, "-");

    assertThat(run.exitCode()).isZero();
    assertThat(totals).containsEntry("stdin", expected(Fixtures.path(Fixtures.V1)));
    assertThat(fromFiles).isEqualTo(totals);
  }

  @Test
  void explore_ofFloatingPointValues_saysThatItCannot() throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    HistogramLogWriter writer = new HistogramLogWriter(log);
    DoubleHistogram histogram = new DoubleHistogram(3);
    histogram.recordValue(1.5);
    writer.outputIntervalHistogram(1000.0, 1001.0, histogram);
    writer.close();

    LogToolRun run = explore(log.toByteArray(), "-");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("floating-point values; only those of integers");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void explore_withoutUnit_takesThatOfEachLog() throws IOException {
    Path nanos = Files.copy(Fixtures.path(Fixtures.V2), folder.resolve("nanos.hlog"));
    Path micros = Files.copy(Fixtures.path(Fixtures.YCSB), folder.resolve("micros.hlog"));

    LogToolRun run = explore(nanos, micros);

    assertThat(units)
        .containsOnly(
            Map.entry("nanos{file=\"nanos.hlog\"}", Unit.NANOSECONDS),
            Map.entry("micros{file=\"micros.hlog\"}", Unit.MICROSECONDS));
    assertThat(run.err()).isEmpty();
    explore("--unit", "bytes", micros);
    assertThat(units).containsEntry("micros", Unit.BYTES);
  }

  @Test
  void explore_ofALogThatDoesNotSayItsUnit_saysWhatItAssumes() throws IOException {
    Path unsaid = withoutWriter(Fixtures.V2, folder.resolve("unsaid.hlog"));

    LogToolRun run = explore(unsaid);

    assertThat(units).containsOnly(Map.entry("unsaid", Unit.NANOSECONDS));
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("ns is assumed: --unit says another").hasLineCount(1);
    assertThat(explore("--unit", "ms", unsaid).err()).isEmpty();
    assertThat(units).containsOnly(Map.entry("unsaid", Unit.MILLISECONDS));
  }

  @Test
  void explore_ofOneNameInTwoUnits_keepsTheFirstAndSaysWhatToDo() throws IOException {
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));
    Path nanos = withoutWriter(Fixtures.V2, first.resolve("calls.hlog"));
    Path micros = Files.copy(Fixtures.path(Fixtures.YCSB), second.resolve("calls.hlog"));

    LogToolRun run = explore(nanos, micros);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains(
            micros
                + ":5: line left out: its values are in us, those before in ns; explore them apart,"
                + " or say --unit if all have the same");
    assertThat(totals).hasSize(1).containsValue(expected(nanos));
    assertThat(explore("--unit", "us", nanos, micros).exitCode()).isZero();
  }

  /** A copy of a log without the comment that names the program, and with it the unit. */
  private static Path withoutWriter(String fixture, Path copy) throws IOException {
    String text = Fixtures.text(Fixtures.path(fixture));
    return Files.writeString(copy, text.substring(text.indexOf('\n') + 1));
  }

  @Test
  void explore_ofAMissingFile_explainsAndExploresTheRest() {
    LogToolRun run = explore(folder.resolve("absent.hlog"), Fixtures.path(Fixtures.V2));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("absent.hlog: no such file");
    assertThat(totals).hasSize(1);
  }

  @Test
  void explore_wronglyCalled_saysHow() {
    assertThat(explore("--unit", "parsec", Fixtures.path(Fixtures.V2)).exitCode()).isEqualTo(2);
    assertThat(explore("--port", "70000", Fixtures.path(Fixtures.V2)).exitCode()).isEqualTo(2);
    assertThat(explore(Fixtures.path(Fixtures.V2), Fixtures.path(Fixtures.V2)).err())
        .contains("is named twice");
    assertThat(totals).isEmpty();
  }
}
