package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Counters of a rule over a restart with a journal, as Prometheus reads them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SlaRestartTest {
  private static final String EVENTS = "\nhdr_sla_events_total{quantile=\"1\",sla=\"calls\"} ";
  private static final String GOOD = "\nhdr_sla_good_total{quantile=\"1\",sla=\"calls\"} ";
  private static final String CREATED = "\nhdr_sla_events_created{quantile=\"1\",sla=\"calls\"} ";
  private static final String MATCHED = "\nhdr_sla_matched_series{sla=\"calls\"} ";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> flags;

  SlaRestartTest(@TempDir Path folder) throws Exception {
    Path rules = folder.resolve("sla.yaml");
    Files.writeString(
        rules, "slas: [{name: calls, selector: '{__name__=~\"calls.*\"}', limits: {100%: 20ms}}]");
    flags =
        Map.of(
            "--ingest-port", "0",
            "--http-port", "0",
            "--self-hiccups", "off",
            "--journal-directory", folder.resolve("journal").toString(),
            "--sla-file", rules.toString());
  }

  private Sidecar start(String idleExpiry) throws Exception {
    Map<String, String> all = new TreeMap<>(flags);
    all.put("--series-idle-expiry", idleExpiry);
    return Sidecar.start(ConfigLoader.load(all, Map.of(), null));
  }

  private void upload(Sidecar sidecar, String name, int times, int millis) throws Exception {
    Histogram histogram = new Histogram(1, 1L << 42, 3);
    histogram.recordValueWithCount(millis * 1_000_000L, times);
    histogram.setStartTimeStamp(System.currentTimeMillis() - 1000);
    histogram.setEndTimeStamp(System.currentTimeMillis());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLogWriter log = new HistogramLogWriter(bytes);
    log.outputLogFormatVersion();
    log.outputIntervalHistogram(histogram);
    log.close();
    URI uri = sidecar.httpAddress().resolve("/api/v1/intervals?unit=ns&name=" + name);
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(uri)
                .POST(BodyPublishers.ofByteArray(bytes.toByteArray()))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private String page(Sidecar sidecar) throws Exception {
    return http.send(
            HttpRequest.newBuilder(sidecar.httpAddress().resolve("/metrics"))
                .header("Accept", "application/openmetrics-text")
                .build(),
            BodyHandlers.ofString())
        .body();
  }

  private static double number(String page, String start) {
    int from = page.indexOf(start) + start.length();
    assertThat(from).as(start).isGreaterThan(start.length());
    return Double.parseDouble(page.substring(from, page.indexOf('\n', from)));
  }

  /** Until the time-out of the class. */
  private String pageWith(Sidecar sidecar, String start, double value) throws Exception {
    String page = page(sidecar);
    while (number(page, start) != value) {
      page = page(sidecar);
    }
    return page;
  }

  /** As Prometheus does: a counter that is lower than before began again at 0. */
  private static double increase(double before, double after) {
    return after < before ? after : after - before;
  }

  @Test
  void counters_seriesEndedAndRestart_increaseByWhatIsRecordedAfterwards() throws Exception {
    String last;
    try (Sidecar sidecar = start("3s")) {
      upload(sidecar, "calls_ended", 400, 30);
      upload(sidecar, "calls", 2, 10);
      pageWith(sidecar, MATCHED, 2);
      int uploads = 0;
      while (number(page(sidecar), MATCHED) != 1) { // until the time-out of the class
        upload(sidecar, "calls", 1, 10);
        uploads++;
      }
      last = pageWith(sidecar, EVENTS, 402 + uploads);
      assertThat(number(last, GOOD)).isEqualTo(2 + uploads);
    }
    try (Sidecar sidecar = start("10m")) {
      String first = page(sidecar);
      assertThat(first).as("replayed").contains("\ncalls_seconds_count ");
      upload(sidecar, "calls", 4, 10);
      upload(sidecar, "calls", 3, 30);

      String after = pageWith(sidecar, EVENTS, number(first, EVENTS) + 7);

      assertThat(
              increase(number(last, EVENTS), number(first, EVENTS))
                  + increase(number(first, EVENTS), number(after, EVENTS)))
          .isEqualTo(7);
      assertThat(
              increase(number(last, GOOD), number(first, GOOD))
                  + increase(number(first, GOOD), number(after, GOOD)))
          .isEqualTo(4);
      assertThat(number(after, CREATED)).isGreaterThan(number(last, CREATED));
    }
  }
}
