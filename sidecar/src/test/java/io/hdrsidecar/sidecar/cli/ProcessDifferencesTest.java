package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where {@code log process} differs from HistogramLogProcessor 2.2.2: what each of the two prints,
 * and what HdrHistogram says about the same intervals.
 */
class ProcessDifferencesTest {
  @TempDir Path folder = Path.of("set by JUnit");

  private String theirs(String suffix, Object... arguments) throws Exception {
    List<String> all =
        Stream.concat(
                Arrays.stream(arguments).map(Object::toString),
                Stream.of("-o", folder.resolve("theirs").toString()))
            .toList();
    ReferenceProcess.run(folder.resolve("theirs.out"), folder.resolve("theirs.err"), all);
    return Files.readString(folder.resolve("theirs" + suffix));
  }

  private String ours(String suffix, Object... arguments) throws Exception {
    Object[] all = new Object[arguments.length + 3];
    all[0] = "process";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[all.length - 2] = "-o";
    all[all.length - 1] = folder.resolve("ours");
    assertThat(LogToolRun.of(all).err()).isEmpty();
    return Files.readString(folder.resolve("ours" + suffix));
  }

  private static String totalCount(String hgrm) {
    return hgrm.replaceAll("(?s).*Total count\\s*=\\s*(\\d+).*", "$1");
  }

  @Test
  void intervalBeforeStartTime_isCounted() throws Exception {
    Path log = Fixtures.path(Fixtures.YCSB);
    long all = 0;
    for (EncodableHistogram interval : Fixtures.intervals(log)) {
      all += ((Histogram) interval).getTotalCount();
    }
    assertThat(all).isEqualTo(300_056);

    assertThat(totalCount(theirs(".hgrm", "-i", log))).isEqualTo("299719");
    assertThat(totalCount(ours(".hgrm", "-i", log))).isEqualTo("300056");
  }

  @Test
  void movingWindow_ofAnotherLayout_keepsItsValues() throws Exception {
    Path log = Fixtures.path(Fixtures.V2);
    Histogram first = (Histogram) Fixtures.intervals(log).get(0);
    String p99 = String.format(Locale.ROOT, "%.3f", first.getValueAtPercentile(99) / 1e6);
    String max = String.format(Locale.ROOT, "%.3f", first.getMaxValue() / 1e6);
    assertThat(p99).isEqualTo("0.410");
    assertThat(max).isEqualTo("2.769");

    assertThat(theirs(".mwp", "-i", log, "-mwp", "99"))
        .contains("1.134: I:741 P:  0.393 M:  2.755");
    assertThat(ours(".mwp", "-i", log, "-mwp", "99")).contains("1.134: I:741 P:  0.410 M:  2.769");
  }

  @Test
  void movingWindow_everyRow_isWhatTheIntervalsInItAddUpTo() throws Exception {
    Path log = Fixtures.path(Fixtures.V0);
    List<EncodableHistogram> intervals = Fixtures.intervals(log);
    List<String> rows =
        ours(".mwp", "-i", log, "-mwp", "90", "-mwpl", "5000").lines().skip(2).toList();

    assertThat(rows).hasSameSizeAs(intervals);
    for (int i = 0; i < rows.size(); i++) {
      Histogram window = ((Histogram) intervals.get(i)).copy();
      window.setAutoResize(true);
      long cutOff = intervals.get(i).getEndTimeStamp() - 5000;
      for (int j = 0; j < i; j++) {
        if (intervals.get(j).getEndTimeStamp() > cutOff) {
          window.add((Histogram) intervals.get(j));
        }
      }
      String expected =
          String.format(
              Locale.ROOT,
              "I:%d P:%7.3f M:%7.3f",
              window.getTotalCount(),
              window.getValueAtPercentile(90) / 1e6,
              window.getMaxValue() / 1e6);
      assertThat(rows.get(i)).endsWith(expected);
    }
  }

  @Test
  void secondLayoutInOneLog_keepsItsValues() throws Exception {
    Path log = folder.resolve("two-layouts.hlog");
    String fine =
        Fixtures.text(Fixtures.path(Fixtures.YCSB)).lines().skip(4).findFirst().orElseThrow();
    String coarse =
        Fixtures.text(Fixtures.path(Fixtures.V2)).lines().skip(4).findFirst().orElseThrow();
    String coarsePayload = coarse.substring(coarse.lastIndexOf(',') + 1);
    Files.writeString(log, fine + "\n" + "1438613580.0,1.0,2.769," + coarsePayload + "\n");
    Histogram second = (Histogram) Fixtures.intervals(log).get(1);
    assertThat(second.getMaxValue()).isEqualTo(2_768_895);

    assertThat(theirs("", "-i", log)).contains("2.755 )\n");
    assertThat(ours("", "-i", log)).contains("2.769 )\n").doesNotContain("2.755");
  }

  @Test
  void allTags_takesAllTags() throws Exception {
    Path log = Fixtures.path(Fixtures.TAGGED);

    assertThat(totalCount(theirs(".hgrm", "-i", log, "-alltags"))).isEqualTo("16145");
    assertThat(totalCount(ours(".hgrm", "-i", log, "-alltags"))).isEqualTo("32290");
  }

  @Test
  void correctionOfATag_finds_theTag() throws Exception {
    Path log = Fixtures.path(Fixtures.TAGGED);
    Object[] untagged = {"-i", log, "-correctLogWithKnownCoordinatedOmission", "1000000"};
    Object[] tagged = {"-i", log, "-tag", "A", untagged[2], untagged[3]};

    // In HistogramLogProcessor, correcting drops the tag: nothing is left to print, and without a
    // tag the tagged intervals count, too.
    assertThat(theirs(".hgrm", tagged)).doesNotContain("Total count");
    String both = totalCount(theirs(".hgrm", untagged));
    String ours = totalCount(ours(".hgrm", tagged));

    assertThat(Long.parseLong(both)).isEqualTo(2 * Long.parseLong(ours));
    assertThat(totalCount(ours(".hgrm", untagged))).isEqualTo(ours);
  }

  @Test
  void lastLineWithoutLineEnd_isRead() throws Exception {
    Path log = folder.resolve("torn.hlog");
    Files.writeString(log, Fixtures.text(Fixtures.path(Fixtures.V2)).stripTrailing());

    assertThat(totalCount(ours(".hgrm", "-i", log))).isEqualTo("48761");
    assertThat(theirs(".hgrm", "-i", log)).doesNotContain("Total count"); // exit before the end
  }

  @Test
  void logThatIsNotInOrder_isReadBehindTheEndOfTheRange() throws Exception {
    Path log = folder.resolve("unordered.hlog");
    List<String> lines =
        new ArrayList<>(Fixtures.text(Fixtures.path(Fixtures.V2)).lines().toList());
    Collections.swap(lines, 9, 44);
    Files.writeString(log, String.join("\n", lines) + "\n");
    long expected = 0;
    for (EncodableHistogram interval : Fixtures.intervals(log)) {
      double offset = interval.getStartTimeStamp() / 1000.0 - 1441812279.474;
      expected += offset <= 20 ? ((Histogram) interval).getTotalCount() : 0;
    }

    assertThat(totalCount(ours(".hgrm", "-i", log, "-end", "20"))).isEqualTo("" + expected);
    assertThat(totalCount(theirs(".hgrm", "-i", log, "-end", "20"))).isEqualTo("3732");
  }

  @Test
  void damagedLine_costsOnlyItself() throws Exception {
    Path log = folder.resolve("damaged.hlog");
    List<String> lines = Fixtures.text(Fixtures.path(Fixtures.V2)).lines().toList();
    String damaged = lines.get(10).substring(0, lines.get(10).length() - 20);
    String text = String.join("\n", lines).replace(lines.get(10), damaged) + "\n";
    Files.writeString(log, text);

    LogToolRun run = LogToolRun.of("process", log, "-o", folder.resolve("ours"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).startsWith(log + ":11: line left out: ");
    assertThat(Files.readString(folder.resolve("ours")).lines()).hasSize(64);
    assertThat(theirs("", "-i", log).lines()).hasSize(9);
    assertThat(theirs(".hgrm", "-i", log)).doesNotContain("Total count");
  }

  @Test
  void damagedLineOfAnotherTag_isNotEvenDecoded() throws Exception {
    Path log = folder.resolve("damaged-tag.hlog");
    String bad =
        Fixtures.text(Fixtures.path(Fixtures.V2)).lines().skip(4).findFirst().orElseThrow();
    String damaged = "Tag=X," + bad.substring(0, bad.length() - 20) + "\n";
    Files.writeString(log, damaged + Fixtures.text(Fixtures.path(Fixtures.V2)));

    assertThat(totalCount(ours(".hgrm", "-i", log))).isEqualTo("48761");
    assertThat(theirs(".hgrm", "-i", log)).doesNotContain("Total count");
  }

  @Test
  void nothingSelected_isSaid() throws Exception {
    Path log = Fixtures.path(Fixtures.V2);

    LogToolRun run = LogToolRun.of("process", log, "-tag", "none");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).startsWith(log + ": none of its 62 intervals was selected");
    theirs("", "-i", log, "-tag", "none");
    assertThat(Files.readString(folder.resolve("theirs.err"))).contains("NullPointerException");
  }

  @Test
  void floatingPointLog_printsTheSame() throws Exception {
    Path log = folder.resolve("double.hlog");
    try (ClosingLogWriter writer = new ClosingLogWriter(log)) {
      writer.outputStartTime(1_700_000_000_000L);
      for (int i = 0; i < 20; i++) {
        DoubleHistogram histogram = new DoubleHistogram(3);
        for (int n = 1; n < 200; n++) {
          histogram.recordValue(Math.pow(1.1, n % 60) * (i + 1) / 100);
        }
        writer.outputIntervalHistogram(1_700_000_000.0 + i, 1_700_000_001.0 + i, histogram, 1);
      }
    }
    Object[] arguments = {"-i", log, "-outputValueUnitRatio", "1", "-mwp", "99", "-mwpl", "3000"};

    for (String suffix : List.of("", ".hgrm", ".mwp")) {
      assertThat(ours(suffix, arguments)).isEqualTo(theirs(suffix, arguments)).contains("20");
    }
  }

  @Test
  void standardInputAndGzip_printTheSame() throws Exception {
    Path log = Fixtures.path(Fixtures.V1);
    Path zipped = folder.resolve("log.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
      Files.copy(log, out);
    }
    String plain = LogToolRun.of("process", log).out();

    assertThat(LogToolRun.of("process", zipped).out()).isEqualTo(plain).contains("Total count");
    byte[] bytes = Fixtures.text(log).getBytes(StandardCharsets.UTF_8);
    assertThat(LogToolRun.withInput(bytes, "process").out()).isEqualTo(plain);
    assertThat(LogToolRun.withInput(bytes, "process", "-").out()).isEqualTo(plain);
  }
}
