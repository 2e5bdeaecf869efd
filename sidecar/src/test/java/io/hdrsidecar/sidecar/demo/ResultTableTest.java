package io.hdrsidecar.sidecar.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ResultTableTest {
  private static final SeriesStatistics SERVICE =
      statistics(
          """
          {"count": 4, "sum": 10000000, "min": 1000000, "max": 4000123, "percentiles": [
            {"percentile": 50, "value": 2000895},
            {"percentile": 99, "value": 4001791},
            {"percentile": 99.99, "value": 4001791}]}
          """);
  private static final SeriesStatistics RESPONSE =
      statistics(
          """
          {"count": 4, "sum": 49382716048, "min": 1000000, "max": 45000000000, "percentiles": [
            {"percentile": 50, "value": 20000000},
            {"percentile": 99, "value": 45000000511},
            {"percentile": 99.99, "value": 45000000511}]}
          """);

  private static SeriesStatistics statistics(String data) {
    return SeriesStatistics.of(new JsonObject(data));
  }

  @Test
  void of_bothSeries_setsThemSideBySideInMilliseconds() {
    assertThat(ResultTable.of(4, SERVICE, RESPONSE))
        .isEqualToNormalizingNewlines(
            """
                              service time   response time
              calls made                 4               4
              count                      4               4
              min ms                 1.000           1.000
              mean ms                2.500       12345.679
              p50 ms                 2.001          20.000
              p99 ms                 4.002       45000.001
              p99.99 ms              4.002       45000.001
              max ms                 4.000       45000.000
            """);
  }

  @Test
  void next_statusLine_givesTheRateSinceTheLineBefore() {
    StatusLine line = new StatusLine();
    line.next(
        Duration.ofSeconds(1), 10_000, Duration.ZERO, "1m", Optional.empty(), Optional.empty());

    assertThat(
            line.next(
                Duration.ofSeconds(3),
                14_000,
                Duration.ofMillis(1_500),
                "1m",
                Optional.of(SERVICE),
                Optional.of(RESPONSE)))
        .isEqualTo(
            "    3 s     2000 calls/s   behind     1500.0 ms"
                + "   p99 over 1m: service       4.0 ms, response   45000.0 ms");
  }

  @Test
  void next_beforeAnythingArrived_showsNoPercentile() {
    assertThat(
            new StatusLine()
                .next(
                    Duration.ofSeconds(1),
                    0,
                    Duration.ZERO,
                    "1m",
                    Optional.empty(),
                    Optional.empty()))
        .endsWith("p99 over 1m: service         - ms, response         - ms");
  }
}
