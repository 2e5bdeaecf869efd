package io.hdrsidecar.tests.promql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Log files that HdrHistogram wrote, asked in PromQL: what {@code log explore} serves. */
final class LogFilesIT {
  private static final Pattern READY = Pattern.compile("series from .*(http://\\S+?)/?\\s*$");

  /** Long ago: nothing depends on the time of day. */
  private static final long ORIGIN = 1_700_000_000_000L;

  private static final long HIGHEST = 3_600_000_000_000L;

  @RegisterExtension final Processes processes = new Processes();

  private final RecordedSeries series =
      RecordedSeries.drawn("calls", Map.of(), 3, RecordedLoad.SECONDS, 9);

  @Test
  void logOfYears_askedInPromQl_isAnsweredFromItsFiles(@TempDir Path folder) throws Exception {
    JavaProcess explorer =
        processes.start(List.of("log", "explore", "--no-open", write(folder).toString()));
    Matcher ready = explorer.awaitLine(READY);
    String address = ready.group(1) + "/prometheus";
    long moment = ORIGIN + 100_000;
    for (double quantile : new double[] {0.5, 0.99, 0.999, 1}) {
      String query = "histogram_quantile(" + quantile + ", rate(calls_seconds[30s]))";
      Interval truth = new Figure.Quantile(quantile, false).of(last30Seconds(), 1);

      assertThat(numbers(address, query, moment).values())
          .as(query)
          .singleElement()
          .matches(truth::has, truth.toString());
    }
    assertThat(numbers(address, "sum(increase(calls_seconds_count[30s]))", moment))
        .containsExactly(Map.entry(Map.of(), (double) last30Seconds().length));
  }

  private static Map<Map<String, String>, Double> numbers(String address, String query, long at)
      throws Exception {
    PromqlAnswer answer = PromqlAnswer.at(address, query, at);
    assertThat(answer.isAnswered()).as("%s: %s", query, answer.error()).isTrue();
    return answer.numbers().getOrDefault(at, Map.of());
  }

  private long[] last30Seconds() {
    return series.seconds().subList(70, 100).stream()
        .flatMapToLong(Arrays::stream)
        .sorted()
        .toArray();
  }

  private Path write(Path folder) throws Exception {
    Path file = folder.resolve("calls.hlog");
    try (OutputStream out = Files.newOutputStream(file)) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputLogFormatVersion();
      log.outputStartTime(ORIGIN);
      log.outputBaseTime(0);
      for (int second = 0; second < series.seconds().size(); second++) {
        Histogram interval = new Histogram(1, HIGHEST, 3);
        LongStream.of(series.seconds().get(second)).forEach(interval::recordValue);
        interval.setStartTimeStamp(ORIGIN + second * 1000L);
        interval.setEndTimeStamp(ORIGIN + (second + 1) * 1000L);
        log.outputIntervalHistogram(interval);
      }
      log.close();
    }
    return file;
  }
}
