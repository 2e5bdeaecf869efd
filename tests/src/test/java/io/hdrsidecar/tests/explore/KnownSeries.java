package io.hdrsidecar.tests.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * A series whose every value is known, second by second: written as a histogram log by HdrHistogram
 * and uploaded. What a range has is then the sum of HdrHistogram's own histograms.
 */
final class KnownSeries {
  private static final long HIGHEST = Duration.ofHours(1).toNanos();

  /** How the latencies of one second are drawn. */
  @FunctionalInterface
  interface Shape {
    /** The typical latency in that second, in nanoseconds. */
    double medianNanos(int second);
  }

  private final String name;
  private final Map<String, String> labels;
  private final long originMillis;
  private final List<long[]> seconds = new ArrayList<>();

  /**
   * Draws the values: log-normal around a median, one in a hundred twenty times as slow.
   *
   * @param originMillis when the first second begins, a whole second since 1970
   * @param valuesPerSecond about how many; seconds differ
   */
  KnownSeries(
      String name,
      Map<String, String> labels,
      long originMillis,
      int lengthSeconds,
      int valuesPerSecond,
      long seed,
      Shape shape) {
    this.name = name;
    this.labels = Map.copyOf(labels);
    this.originMillis = originMillis;
    SplittableRandom random = new SplittableRandom(seed);
    for (int second = 0; second < lengthSeconds; second++) {
      int count = valuesPerSecond - valuesPerSecond / 4 + random.nextInt(valuesPerSecond / 2 + 1);
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        double slow = random.nextInt(100) == 0 ? 20 : 1;
        double nanos = shape.medianNanos(second) * slow * Math.exp(0.4 * random.nextGaussian());
        values[i] = Math.min(HIGHEST, Math.max(1, (long) nanos));
      }
      seconds.add(values);
    }
  }

  /** A whole minute that ended a little more than so many seconds ago. */
  static long originOf(int lengthSeconds) {
    return (System.currentTimeMillis() - lengthSeconds * 1000L) / 60_000 * 60_000;
  }

  /** As the API and the explorer name it. */
  String selector() {
    return labels.isEmpty()
        ? name
        : labels.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(label -> label.getKey() + "=\"" + label.getValue() + '"')
            .collect(Collectors.joining(",", name + "{", "}"));
  }

  long startMillis() {
    return originMillis;
  }

  long endMillis() {
    return originMillis + seconds.size() * 1000L;
  }

  /** HdrHistogram of all values of the seconds of which any part lies in this range. */
  Histogram between(long fromMillis, long toMillis) {
    Histogram sum = new Histogram(1, HIGHEST, 3);
    for (int second = 0; second < seconds.size(); second++) {
      if (startOf(second + 1) > fromMillis && startOf(second) < toMillis) {
        for (long value : seconds.get(second)) {
          sum.recordValue(value);
        }
      }
    }
    return sum;
  }

  private long startOf(int second) {
    return originMillis + second * 1000L;
  }

  Histogram all() {
    return between(startMillis(), endMillis());
  }

  /** Writes it as a histogram log. */
  Path writeTo(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputLogFormatVersion();
      log.outputStartTime(originMillis);
      log.outputBaseTime(0);
      Histogram histogram = new Histogram(1, HIGHEST, 3);
      for (int second = 0; second < seconds.size(); second++) {
        histogram.reset();
        for (long value : seconds.get(second)) {
          histogram.recordValue(value);
        }
        histogram.setStartTimeStamp(startOf(second));
        histogram.setEndTimeStamp(startOf(second + 1));
        log.outputIntervalHistogram(histogram);
      }
      log.close();
    }
    return file;
  }

  /** Uploads it. */
  void upload(SidecarProcess sidecar, Path folder) throws IOException, InterruptedException {
    Path file = writeTo(folder.resolve("known.hlog"));
    String target =
        "/api/v1/intervals?unit=ns&name="
            + name
            + labels.entrySet().stream()
                .map(l -> "&label." + l.getKey() + "=" + encoded(l.getValue()))
                .collect(Collectors.joining());
    assertThat(sidecar.post(target, file).getInteger("merged")).isEqualTo(seconds.size());
    Files.delete(file);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
