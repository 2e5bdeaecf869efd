package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A recorder that a service keeps for ever outlives the series it records into. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class KeptRecorderTest {
  private static final Pattern COUNT =
      Pattern.compile("\ncheckout_seconds_count\\{route=\"/pay\"} (\\d+)");
  private static final Pattern CREATED =
      Pattern.compile("\ncheckout_seconds_created\\{route=\"/pay\"} ([0-9.]+)");

  /** One for all pages: a connection for each would pass http.max-connections. */
  private final HttpClient http = HttpClient.newHttpClient();

  private String page(Sidecar sidecar) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(sidecar.httpAddress().resolve("/metrics"))
            .header("Accept", "application/openmetrics-text; version=1.0.0")
            .timeout(Duration.ofSeconds(30))
            .build();
    return http.send(request, BodyHandlers.ofString()).body();
  }

  private static long count(String page) {
    Matcher found = COUNT.matcher(page);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  private static double created(String page) {
    Matcher found = CREATED.matcher(page);
    assertThat(found.find()).as(page).isTrue();
    return Double.parseDouble(found.group(1));
  }

  private static void record(HdrSidecarClient client, LatencyRecorder recorder, int values)
      throws Exception {
    long wanted = client.health().acknowledgedValues() + values;
    for (int i = 0; i < values; i++) {
      recorder.record(Duration.ofMillis(4));
    }
    while (client.health().acknowledgedValues() < wanted) { // until the class's time-out
      LockSupport.parkNanos(1_000_000);
    }
  }

  /**
   * Scrapes until the series is gone, and gives the page before. What that showed is all there was:
   * nothing is recorded meanwhile.
   */
  private String lastPageOf(Sidecar sidecar) throws Exception {
    String last = page(sidecar);
    String next = last;
    while (next.contains("checkout_seconds")) { // until the class's time-out
      last = next;
      next = page(sidecar);
    }
    return last;
  }

  @Test
  void record_recorderKeptAcrossTheEndOfItsSeries_losesNothing() throws Exception {
    try (Sidecar sidecar =
            Sidecar.start(
                ConfigLoader.load(
                    Map.of(
                        "--ingest-port", "0",
                        "--http-port", "0",
                        "--self-hiccups", "off",
                        "--series-idle-expiry", "3s"),
                    Map.of(),
                    null));
        HdrSidecarClient client =
            HdrSidecarClient.create(
                ClientConfig.builder()
                    .address(sidecar.ingestAddress())
                    .interval(Duration.ofMillis(50))
                    .build())) {
      LatencyRecorder kept = client.recorder("checkout", Labels.of("route", "/pay"));
      long exposed = 0;
      double createdBefore = 0;
      for (int values = 1000; values <= 3000; values += 1000) {
        record(client, kept, values);
        String last = lastPageOf(sidecar);
        assertThat(count(last)).isEqualTo(values); // counted from 0 again
        assertThat(created(last)).isGreaterThan(createdBefore);
        createdBefore = created(last);
        exposed += count(last);
      }

      assertThat(exposed).isEqualTo(6000);
      assertThat(client.health().lostValues()).isEmpty();
      assertThat(client.health().reconnects()).isZero();
      assertThat(page(sidecar)).contains("\nhdr_sidecar_series_expired_total 3.0");
    }
  }
}
