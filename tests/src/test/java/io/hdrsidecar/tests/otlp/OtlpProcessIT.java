package io.hdrsidecar.tests.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What is left after a restart of the sidecar. */
final class OtlpProcessIT {
  private static final Pattern LISTENING =
      Pattern.compile("address=(?<endpoint>http://[0-9.:]+/v1/metrics)");

  @RegisterExtension final Processes processes = new Processes();

  @TempDir Path folder = Path.of("set by JUnit");

  /** The new sidecar cannot know what the old one counted, and counts from the next point on. */
  @Test
  void restart_betweenCumulativePoints_countsNoValueTwice() throws Exception {
    String journal = "--journal-directory=" + folder.resolve("journal");
    SidecarProcess first = processes.sidecar(0, "--otlp-address=127.0.0.1:0", journal);
    long start = System.currentTimeMillis() * 1_000_000;
    post(first, start, start + 1_000_000, 100);
    assertThat(first.total("a", "").getLong("count")).isEqualTo(100);
    first.signal("TERM");
    SidecarProcess second =
        Eventually.gives(() -> processes.sidecar(0, "--otlp-address=127.0.0.1:0", journal));

    post(second, start, start + 2_000_000, 130);
    post(second, start, start + 3_000_000, 150);

    assertThat(second.total("a", "").getLong("count")).isEqualTo(120);
    assertThat(second.metrics())
        .contains("hdr_sidecar_otlp_not_kept_values_total{reason=\"unknown_start\"} 130.0");
  }

  private static void post(SidecarProcess sidecar, long start, long time, long count)
      throws Exception {
    String json =
        """
        {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","unit":"s",
          "exponentialHistogram":{"aggregationTemporality":2,"dataPoints":[{
            "startTimeUnixNano":"%d","timeUnixNano":"%d","count":"%d","sum":1,"scale":3,
            "positive":{"offset":-20,"bucketCounts":["%d"]}}]}}]}]}]}
        """
            .formatted(start, time, count, count);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(sidecar.awaitLine(LISTENING).group("endpoint")))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build();
    String answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    assertThat(answer).isEqualTo("{}");
  }
}
