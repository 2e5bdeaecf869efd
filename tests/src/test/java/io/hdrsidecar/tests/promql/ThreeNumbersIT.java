package io.hdrsidecar.tests.promql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One query, asked with curl of a Prometheus that scrapes a sidecar and of the sidecar itself, and
 * the sorted list of what was recorded.
 */
@RequiresDocker
@RequiresPrograms("curl")
final class ThreeNumbersIT {
  /** A Prometheus that keeps both forms of each histogram. */
  private static final String JOB =
      """
        - job_name: sidecar
          always_scrape_classic_histograms: true
          static_configs:
            - targets: ["127.0.0.1:%d"]
      """;

  private static final String CLASSIC =
      "histogram_quantile(0.999, sum by (le) (rate(demo_call_seconds_bucket[1m])))";

  private static final String NATIVE =
      "histogram_quantile(0.999, sum(rate(demo_call_seconds[1m])))";

  /** So often are the same values recorded, one batch after the other. */
  private static final Duration LOAD = Duration.ofSeconds(5);

  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(50);

  /** Rates need several scrapes, however late a busy machine makes them. */
  private static final String SCRAPED = "changes(demo_call_seconds_count[1m]) >= 3";

  @RegisterExtension final Processes processes = new Processes();

  private final long[] batch = batch();

  /**
   * Log-normal around 4 ms; one in a hundred is about 60 ms. No rank asked for is a whole number.
   */
  private static long[] batch() {
    SplittableRandom random = new SplittableRandom(3);
    return LongStream.range(0, 2003)
        .map(
            i -> {
              double millis =
                  i % 100 == 0
                      ? 60 + 10 * random.nextDouble()
                      : 4 * Math.exp(random.nextGaussian() / 3);
              return (long) (millis * 1e6);
            })
        .toArray();
  }

  @Test
  void quantile_askedWithCurl_isInPrometheusBucketAndAtTheSidecarExact() throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    try (PrometheusServer prometheus =
        PrometheusServer.scrapingJobs(JOB.formatted(sidecar.httpPort()), "groups: []")) {
      long recorded = record(sidecar, prometheus);
      Eventually.holds(
          () ->
              assertThat(prometheus.value("demo_call_seconds_count")).isEqualTo((double) recorded));
      double inList = quantileOfList();
      String asked = "http://127.0.0.1:" + sidecar.httpPort() + "/prometheus";
      for (String query : List.of(CLASSIC, NATIVE)) {
        double ofPrometheus = curl(prometheus.url(), query);
        double ofSidecar = curl(asked, query);

        System.out.printf(
            Locale.ROOT,
            "%s: Prometheus %.6f, sidecar %.6f, sorted list %.6f%n",
            query,
            ofPrometheus,
            ofSidecar,
            inList);
        assertThat(ofSidecar / inList).isBetween(1.0, Figure.PRECISION);
        assertThat(new Figure.Quantile(0.999, query.equals(CLASSIC)).around(ofPrometheus, batch))
            .matches(bucket -> bucket.has(ofSidecar), "has what the sidecar says");
      }
    }
  }

  /** Whole batches, so that each part of the load has the same distribution. */
  private long record(SidecarProcess sidecar, PrometheusServer prometheus) throws Exception {
    long recorded = 0;
    HdrSidecarClient client =
        HdrSidecarClient.create(ClientConfig.builder().address(sidecar.ingestAddress()).build());
    LatencyRecorder recorder = client.recorder("demo_call", Labels.of("kind", "response"));
    long end = System.nanoTime() + LOAD.toNanos();
    while (System.nanoTime() - end < 0 || prometheus.result(SCRAPED).isEmpty()) {
      for (long value : batch) {
        recorder.record(value);
      }
      recorded += batch.length;
      LockSupport.parkNanos(BETWEEN_BATCHES.toNanos());
    }
    assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
    return recorded;
  }

  private double quantileOfList() {
    long[] sorted = batch.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(0.999 * sorted.length) - 1] / RecordedSeries.NANOS;
  }

  private static double curl(String address, String query) throws Exception {
    List<String> command =
        List.of(
            "curl",
            "--silent",
            "--show-error",
            "--max-time",
            "60",
            "--data-urlencode",
            "query=" + query,
            address + "/api/v1/query");
    JsonObject answer = new JsonObject(Tool.run(command, Path.of(".")));
    assertThat(answer.getString("status")).as("%s", answer).isEqualTo("success");
    return Double.parseDouble(
        answer
            .getJsonObject("data")
            .getJsonArray("result")
            .getJsonObject(0)
            .getJsonArray("value")
            .getString(1));
  }
}
