package io.hdrsidecar.internal.hlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IntervalLogReaderTest {
  private static final int MAX_COUNTERS = 1 << 20;

  /** The second interval of jHiccup-2.0.7S.logV2.hlog. */
  private static final String PAYLOAD =
      "HISTFAAAAEJ42pNpmSzMwMAgxwABTBDKT4GBgdnNYMcCBvsPEBEWLj45FTExAT4pBSEBKa6UkAgBi1uM7xjfMMlwMDABAC0CCjM=";

  private record Line(String tag, long startMillis, long endMillis, Histogram histogram) {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jHiccup-2.0.1.logV0.hlog",
        "jHiccup-2.0.6.logV1.hlog",
        "jHiccup-2.0.7S.logV2.hlog",
        "jHiccup-2.0.7S.logV3.hlog",
        "tagged-Log.logV2.hlog",
        "ycsb.logV1.hlog"
      })
  void next_onLogsOfOthers_readsWhatHdrHistogramReads(String fixture) throws Exception {
    List<Line> expected = readWithHdrHistogram(fixture(fixture));

    List<Line> lines = read(fixture(fixture));

    assertThat(lines).hasSameSizeAs(expected).isNotEmpty();
    for (int i = 0; i < expected.size(); i++) {
      assertThat(lines.get(i).tag()).isEqualTo(expected.get(i).tag());
      assertThat(lines.get(i).histogram()).isEqualTo(expected.get(i).histogram());
      // HdrHistogram cuts milliseconds off where this reader rounds.
      assertThat(lines.get(i).startMillis() - expected.get(i).startMillis()).isBetween(0L, 1L);
      assertThat(lines.get(i).endMillis() - expected.get(i).endMillis()).isBetween(0L, 1L);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "test_tagged_invalid_histogram.txt, bad_base64",
    "test_tagged_invalid_tag_key.txt, bad_tag",
    "test_tagged_invalid_timestamp.txt, bad_timestamp",
    "test_tagged_missing_histogram.txt, missing_histogram"
  })
  void next_onABadLine_saysWhichAndWhy(String fixture, String reason) throws Exception {
    MalformedLogLineException refused = refusal(fixture(fixture));

    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused.line()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.0,1.0,1.0,HISTFA== | bad_payload",
        "1.0,1.0,1.0,AAAAAAAAAAA= | bad_payload",
        "1.0,1.0,1.0,!!!! | bad_base64",
        "1.0,1.0,1.0 | missing_histogram",
        "1.0,1.0 | missing_histogram",
        "Tag=x | missing_histogram",
        "Tag=,1.0,1.0,1.0,HISTFA== | bad_tag",
        "NaN,1.0,1.0,HISTFA== | bad_timestamp",
        "0x1p3,1.0,1.0,HISTFA== | bad_timestamp",
        "1.0,-1.0,1.0,HISTFA== | bad_timestamp",
        "1e300,1.0,1.0,HISTFA== | bad_timestamp",
        "1.0,1.0,high,HISTFA== | bad_timestamp",
        "#[StartTime: soon] | bad_timestamp",
        "hello | bad_timestamp"
      })
  void next_onADamagedLine_saysWhy(String line, String reason) throws Exception {
    assertThat(refusal(line.getBytes(StandardCharsets.UTF_8)).reason()).isEqualTo(reason);
  }

  @Test
  void next_onABadTagEncoding_saysSo() throws Exception {
    byte[] line = "Tag=?,1.0,1.0,1.0,HISTFA==".getBytes(StandardCharsets.UTF_8);
    line[4] = (byte) 0xff;

    assertThat(refusal(line).reason()).isEqualTo("bad_tag");
  }

  @Test
  void nextLine_beforeDecoding_tellsTagAndTimesAsTheLineHasThem() throws Exception {
    String log =
        "#[StartTime: 1441812279.474 (seconds since epoch)]\nTag=a,0.1275,1.007,2.769,"
            + PAYLOAD
            + "\n";
    IntervalLogLine interval = new IntervalLogLine();
    try (IntervalLogReader reader = reader(log)) {
      assertThat(reader.nextLine(interval)).isTrue();
      assertThat(interval.tag()).isEqualTo("a");
      assertThat(interval.startSeconds()).isEqualTo(1441812279.474 + 0.1275);
      assertThat(interval.endSeconds()).isEqualTo(1441812279.474 + 0.1275 + 1.007);
      assertThat(interval.maximum()).isEqualTo(2.769);
      assertThat(reader.startSeconds()).isEqualTo(1441812279.474);
      assertThat(reader.payload()).isEqualTo(ByteBuffer.wrap(Base64.getDecoder().decode(PAYLOAD)));
      assertThat(interval.histogram().counts().size()).isZero();

      reader.decode(interval);

      assertThat(interval.histogram().counts().total()).isEqualTo(749);
    }
  }

  @Test
  void payload_writtenAgain_isTheSameLine() throws Exception {
    String line = "Tag=a,1441812279.601,1.007,2.769," + PAYLOAD + "\n";
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    IntervalLogLine interval = new IntervalLogLine();
    try (IntervalLogReader reader = reader(line);
        IntervalLogWriter writer = new IntervalLogWriter(written, 1e6, 9)) {
      reader.nextLine(interval);
      writer.writeInterval(
          interval.tag(),
          interval.startMillis(),
          interval.endMillis(),
          interval.maximum(),
          reader.payload());
    }

    assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo(line);
  }

  @Test
  void histogramOffset_ofAnyLine_isWhereItsHistogramStands() throws Exception {
    StringBuilder log = new StringBuilder("#[Histogram log format version 1.3]\r\n");
    for (int i = 0; i < 2000; i++) {
      log.append(i % 3 == 0 ? "Tag=t" + i + "," : "").append(good(i + ".0"));
      log.append(i % 7 == 0 ? "\r\n" : "\n");
      log.append(i == 1000 ? "x".repeat(200_000) + "\n" : "");
    }
    byte[] bytes = log.toString().getBytes(StandardCharsets.UTF_8);
    IntervalLogLine interval = new IntervalLogLine();
    int lines = 0;
    try (IntervalLogReader reader =
        new IntervalLogReader(new ByteArrayInputStream(bytes), 10_000, MAX_COUNTERS)) {
      for (boolean more = true; more; ) {
        try {
          more = reader.nextLine(interval);
          if (more) {
            ByteBuffer text = reader.histogramText();
            ByteBuffer there =
                ByteBuffer.wrap(bytes, (int) reader.histogramOffset(), text.remaining());
            assertThat(text).isEqualTo(there);
            assertThat(StandardCharsets.US_ASCII.decode(text).toString()).isEqualTo(PAYLOAD);
            lines++;
          }
        } catch (MalformedLogLineException tooLong) {
          assertThat(tooLong.reason()).isEqualTo("line_too_long");
        }
      }
    }
    assertThat(lines).isEqualTo(2000);
  }

  @Test
  void next_afterABadLine_goesOnBehindIt() throws Exception {
    String log = good("5.0") + "\nnonsense\n\n" + good("7.0") + "\n";
    IntervalLogLine interval = new IntervalLogLine();
    try (IntervalLogReader reader = reader(log)) {
      assertThat(reader.next(interval)).isTrue();
      MalformedLogLineException refused =
          catchThrowableOfType(
              MalformedLogLineException.class, () -> reader.next(new IntervalLogLine()));
      assertThat(refused.line()).isEqualTo(2);
      assertThat(reader.next(interval)).isTrue();
      assertThat(interval.line()).isEqualTo(4);
      assertThat(interval.startMillis()).isEqualTo(7_000);
      assertThat(reader.next(interval)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void next_withAnyLineEnd_readsAllLinesAndCountsThem(String lineEnd) throws Exception {
    String log = String.join(lineEnd, "#comment", good("5.0"), "", good("6.0"));
    List<Long> numbers = new ArrayList<>();
    IntervalLogLine interval = new IntervalLogLine();
    try (IntervalLogReader reader = reader(log)) {
      while (reader.next(interval)) {
        numbers.add(interval.line());
      }
    }

    assertThat(numbers).containsExactly(2L, 4L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Relative to the start time, being more than a year before it.
        "#[StartTime: 1441812279.474 (s)] | 0.127 | 1441812279601",
        // Absolute, being near the start time.
        "#[StartTime: 1441812279.474 (s)] | 1441812279.500 | 1441812279500",
        // Relative to the base time, whatever the start time.
        "#[BaseTime: 1000.250 (s)] | 3.5 | 1003750",
        // Nothing said: absolute.
        "#nothing | 1441812279.500 | 1441812279500"
      })
  void next_withTimesInComments_givesAbsoluteTimes(String comment, String time, long millis)
      throws Exception {
    List<Line> lines = read((comment + "\n" + good(time)).getBytes(StandardCharsets.UTF_8));

    assertThat(lines.get(0).startMillis()).isEqualTo(millis);
    assertThat(lines.get(0).endMillis()).isEqualTo(millis + 1_000);
  }

  @Test
  void next_onALineOverTheLimit_refusesItAndGoesOn() throws Exception {
    String log = "x".repeat(100_000) + "\n" + good("5.0") + "\n" + "y".repeat(70_001);
    IntervalLogLine interval = new IntervalLogLine();
    try (IntervalLogReader reader =
        new IntervalLogReader(
            new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)), 1_000, MAX_COUNTERS)) {
      MalformedLogLineException first =
          catchThrowableOfType(
              MalformedLogLineException.class, () -> reader.next(new IntervalLogLine()));
      assertThat(first.reason()).isEqualTo("line_too_long");
      assertThat(first).hasMessage("the line has 100000 bytes, at most 1000 can be read");
      assertThat(reader.next(interval)).isTrue();
      assertThat(interval.line()).isEqualTo(2);
      MalformedLogLineException last =
          catchThrowableOfType(
              MalformedLogLineException.class, () -> reader.next(new IntervalLogLine()));
      assertThat(last.line()).isEqualTo(3);
      assertThat(last).hasMessage("the line has 70001 bytes, at most 1000 can be read");
      assertThat(reader.next(interval)).isFalse();
    }
  }

  @Test
  void next_whenBytesArriveOneByOne_readsTheSame() throws Exception {
    byte[] log = fixture("jHiccup-2.0.7S.logV3.hlog");
    InputStream slow =
        new FilterInputStream(new ByteArrayInputStream(log)) {
          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            return super.read(into, offset, Math.min(length, 1));
          }
        };

    assertThat(read(slow)).isEqualTo(read(log));
  }

  @Test
  void next_withMoreCountersThanAllowed_refusesTheLine() throws Exception {
    try (IntervalLogReader reader =
        new IntervalLogReader(
            new ByteArrayInputStream(good("5.0").getBytes(StandardCharsets.UTF_8)), 10_000, 16)) {
      MalformedLogLineException refused =
          catchThrowableOfType(
              MalformedLogLineException.class, () -> reader.next(new IntervalLogLine()));
      assertThat(refused.reason()).isEqualTo("configuration_limit");
    }
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void next_onDamagedLogs_readsOrRefusesEachLineAndEnds(long seed) throws Exception {
    byte[] log = fixture("jHiccup-2.0.7S.logV3.hlog");
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 200; round++) {
      byte[] damaged = log.clone();
      for (int i = random.nextInt(1, 40); i > 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      assertThat(linesReadOrRefused(damaged)).isPositive();
    }
  }

  private static long linesReadOrRefused(byte[] log) throws IOException {
    long lines = 0;
    IntervalLogLine interval = new IntervalLogLine();
    try (IntervalLogReader reader =
        new IntervalLogReader(new ByteArrayInputStream(log), 1 << 20, MAX_COUNTERS)) {
      while (true) {
        try {
          if (!reader.next(interval)) {
            return lines;
          }
        } catch (MalformedLogLineException refused) {
          assertThat(refused.reason()).isNotEmpty();
        }
        lines++;
      }
    }
  }

  private static String good(String time) {
    return time + ",1.0,0.4," + PAYLOAD;
  }

  private static IntervalLogReader reader(String log) {
    return new IntervalLogReader(
        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)), 1 << 20, MAX_COUNTERS);
  }

  private static MalformedLogLineException refusal(byte[] log) throws IOException {
    try (IntervalLogReader reader =
        new IntervalLogReader(new ByteArrayInputStream(log), 1 << 20, MAX_COUNTERS)) {
      return catchThrowableOfType(
          MalformedLogLineException.class, () -> reader.next(new IntervalLogLine()));
    }
  }

  private static List<Line> read(byte[] log) throws Exception {
    return read(new ByteArrayInputStream(log));
  }

  private static List<Line> read(InputStream log) throws Exception {
    List<Line> lines = new ArrayList<>();
    IntervalLogLine interval = new IntervalLogLine();
    try (IntervalLogReader reader = new IntervalLogReader(log, 1 << 20, MAX_COUNTERS)) {
      while (reader.next(interval)) {
        lines.add(
            new Line(
                interval.tag(),
                interval.startMillis(),
                interval.endMillis(),
                toHistogram(interval.histogram())));
      }
    }
    return lines;
  }

  private static Histogram toHistogram(DecodedHistogram decoded) {
    Histogram histogram =
        new Histogram(
            decoded.layout().lowestDiscernibleValue(),
            decoded.highestTrackableValue(),
            decoded.layout().significantDigits());
    for (int i = 0; i < decoded.counts().size(); i++) {
      histogram.recordValueWithCount(
          decoded.layout().lowestValueAt(decoded.counts().indexAt(i)), decoded.counts().countAt(i));
    }
    return histogram;
  }

  private static List<Line> readWithHdrHistogram(byte[] log) {
    List<Line> lines = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(new ByteArrayInputStream(log))) {
      while (reader.hasNext()) {
        EncodableHistogram histogram = reader.nextIntervalHistogram();
        if (histogram != null) {
          lines.add(
              new Line(
                  Objects.requireNonNullElse(histogram.getTag(), ""),
                  histogram.getStartTimeStamp(),
                  histogram.getEndTimeStamp(),
                  (Histogram) histogram));
        }
      }
    }
    return lines;
  }

  private static byte[] fixture(String name) throws IOException {
    try (InputStream in = IntervalLogReaderTest.class.getResourceAsStream("/hlog/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }
}
