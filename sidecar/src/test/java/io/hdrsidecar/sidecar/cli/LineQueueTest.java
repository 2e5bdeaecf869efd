package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines that other threads decode come in their order, and what is wrong with a line, or with the
 * file, is told at its place, as without other threads.
 */
class LineQueueTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private LogScan scan(InputStream in, boolean ahead) throws IOException {
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    LogConsole console = new LogConsole(in, errors, errors, false, false);
    IntervalSelection all =
        new IntervalSelection(StartRange.ALL, TagFilter.ALL, OmissionCorrection.NONE);
    return new LogScan(new LogInput("-", "", console), all, new Messages(console, true), ahead);
  }

  private LogScan scan(String text, boolean ahead) throws IOException {
    return scan(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), ahead);
  }

  /** Most are of a few buckets; some are too large to be kept ahead, some too large to be tried. */
  private static List<Histogram> histograms(int number, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Histogram> histograms = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      int digits = i % 50 == 20 ? 5 : i % 50 == 10 ? 4 : 3;
      int values = digits == 3 ? random.nextInt(0, 500) : 40_000;
      Histogram histogram = new Histogram(1, 3_600_000_000_000L, digits);
      for (int n = 0; n < values; n++) {
        histogram.recordValueWithCount(
            random.nextLong(1L << random.nextInt(1, 41)),
            1L << (random.nextInt(10) == 0 ? random.nextInt(50) : 0));
      }
      histograms.add(histogram);
    }
    return histograms;
  }

  private static String line(int number, Histogram histogram) {
    ByteBuffer encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(encoded, Deflater.BEST_SPEED);
    String payload = Base64.getEncoder().encodeToString(Arrays.copyOf(encoded.array(), length));
    return String.format(Locale.ROOT, "Tag=t%d,%d.000,1.000,9.999,%s%n", number, number, payload);
  }

  private static Map<Long, Long> buckets(Histogram histogram) {
    Map<Long, Long> buckets = new TreeMap<>();
    histogram
        .recordedValues()
        .forEach(v -> buckets.put(v.getValueIteratedTo(), v.getCountAtValueIteratedTo()));
    return buckets;
  }

  private static Map<Long, Long> buckets(LogEntry entry) {
    Map<Long, Long> buckets = new TreeMap<>();
    BucketLayout layout = entry.layout();
    for (int i = 0; i < entry.counts().size(); i++) {
      buckets.put(layout.highestValueAt(entry.counts().indexAt(i)), entry.counts().countAt(i));
    }
    return buckets;
  }

  @ParameterizedTest(name = "ahead={0}")
  @ValueSource(booleans = {true, false})
  void next_ofManyLines_givesEachInItsOrder(boolean ahead) throws IOException {
    List<Histogram> histograms = histograms(300, 1);
    StringBuilder log = new StringBuilder("#[StartTime: 1000.000 (seconds since epoch)]\n");
    for (int i = 0; i < histograms.size(); i++) {
      log.append(line(i, histograms.get(i)));
    }

    try (LogScan scan = scan(log.toString(), ahead)) {
      for (int i = 0; i < histograms.size(); i++) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.interval().tag()).isEqualTo("t" + i);
        assertThat(scan.interval().startSeconds()).isEqualTo(i);
        assertThat(scan.entry().count()).isEqualTo(histograms.get(i).getTotalCount());
        assertThat(buckets(scan.entry())).isEqualTo(buckets(histograms.get(i)));
      }
      assertThat(scan.next()).isFalse();
      assertThat(scan.next()).isFalse();
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @ParameterizedTest(name = "ahead={0}")
  @ValueSource(booleans = {true, false})
  void next_withBadLinesBetween_tellsThemInOrder(boolean ahead) throws IOException {
    List<Histogram> histograms = histograms(100, 2);
    StringBuilder log = new StringBuilder();
    List<String> told = new ArrayList<>();
    List<String> good = new ArrayList<>();
    for (int i = 0; i < histograms.size(); i++) {
      String line = line(i, histograms.get(i));
      if (i % 10 == 3) {
        log.append(line, 0, line.indexOf("HIST")).append("HIST!\n");
        told.add("standard input:" + (i + 1) + ": line left out: histogram is no base64");
      } else if (i % 10 == 5) {
        log.append(line.replaceFirst(",\\d+\\.000,", ",soon,"));
        told.add("standard input:" + (i + 1) + ": line left out: start must be a number");
      } else if (i % 10 == 7) {
        log.append(line, 0, line.indexOf("HIST") + 24).append('\n');
        told.add("standard input:" + (i + 1) + ": line left out: compressed contents");
      } else {
        log.append(line);
        good.add("t" + i);
      }
    }

    List<String> used = new ArrayList<>();
    try (LogScan scan = scan(log.toString(), ahead)) {
      while (scan.next()) {
        used.add(scan.interval().tag());
      }
    }

    assertThat(used).isEqualTo(good);
    List<String> messages = err.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(messages).hasSameSizeAs(told);
    for (int i = 0; i < told.size(); i++) {
      assertThat(messages.get(i)).startsWith(told.get(i));
    }
  }

  @ParameterizedTest(name = "ahead={0}")
  @ValueSource(booleans = {true, false})
  void next_whereTheFileEndsTooEarly_usesWhatComesBefore(boolean ahead) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    int whole = 0;
    List<Histogram> histograms = histograms(80, 3);
    try (GZIPOutputStream out = new GZIPOutputStream(zipped, 512, true)) {
      for (int i = 0; i < histograms.size(); i++) {
        out.write(line(i, histograms.get(i)).getBytes(StandardCharsets.UTF_8));
        if (i == 59) {
          out.flush();
          whole = zipped.size();
        }
      }
    }
    byte[] torn = Arrays.copyOf(zipped.toByteArray(), whole);

    int used = 0;
    try (LogScan scan = scan(new ByteArrayInputStream(torn), ahead)) {
      while (scan.next()) {
        used++;
      }
    }

    assertThat(used).isEqualTo(60);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("standard input: reading stops after line 60, what comes before is used: ")
        .hasLineCount(1);
  }

  @Test
  void startSeconds_ofALogWithSeveralStarts_isThatOfTheCurrentLine() throws IOException {
    List<Histogram> histograms = histograms(10, 4);
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < histograms.size(); i++) {
      log.append("#[StartTime: ").append(1000 + i).append(".000 (seconds since epoch)]\n");
      log.append(line(1000 + i, histograms.get(i)));
    }

    try (LogScan scan = scan(log.toString(), true)) {
      for (int i = 0; i < histograms.size(); i++) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.startSeconds()).isEqualTo(1000 + i);
      }
    }
  }

  @Test
  void close_inTheMiddleOfAnEndlessLog_returns() throws IOException {
    Histogram histogram = histograms(1, 5).get(0);
    byte[] line = line(1, histogram).getBytes(StandardCharsets.UTF_8);
    InputStream endless =
        new InputStream() {
          private long at;

          @Override
          public int read() {
            return line[(int) (at++ % line.length)];
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            for (int i = 0; i < length; i++) {
              target[offset + i] = (byte) read();
            }
            return length;
          }
        };

    try (LogScan scan = scan(endless, true)) {
      assertThat(scan.next()).isTrue();
      assertThat(scan.entry().count()).isEqualTo(histogram.getTotalCount());
    }
  }
}
