package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which configurations of histograms an upload may have: those of series.max-counters. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UploadedConfigurationTest {
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  /** Of 5 digits up to an hour: 26 half buckets of 131,072. */
  private static final int COUNTERS = 3_407_872;

  private @Nullable RunningServer started;

  @AfterEach
  void stop() throws Exception {
    if (started != null) {
      started.stop();
    }
  }

  @Test
  void post_ofFiveDigitsUpToAnHour_isMergedWhereTheSettingAllowsIt() throws Exception {
    RunningServer server = start(COUNTERS);
    Histogram recorded = new Histogram(1, HOUR_NANOS, 5);
    for (long value = 1; value < HOUR_NANOS; value = value * 3 / 2 + 1) {
      recorded.recordValue(value);
    }

    HttpResponse<String> answer = post(recorded);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(server.histogram("fine", "&buckets=true").getJsonArray("buckets"))
        .isEqualTo(buckets(recorded));
  }

  @ParameterizedTest
  @ValueSource(ints = {524_288, COUNTERS - 1})
  void post_aboveTheLimit_isRefusedNamingTheSetting(int limit) throws Exception {
    start(limit);
    Histogram recorded = new Histogram(1, HOUR_NANOS, 5);
    recorded.recordValue(7);

    HttpResponse<String> answer = post(recorded);

    assertThat(answer.statusCode()).isEqualTo(400);
    JsonObject refused =
        new JsonObject(answer.body())
            .getJsonObject("data")
            .getJsonArray("refusedLines")
            .getJsonObject(0);
    assertThat(refused.getString("reason")).isEqualTo("configuration_limit");
    assertThat(refused.getString("message"))
        .contains("at most " + limit + " counters")
        .contains("needs " + COUNTERS)
        .endsWith("or raise series.max-counters");
  }

  private RunningServer start(int maxCounters) throws Exception {
    RunningServer server =
        new RunningServer(
            1 << 20, new MergeConfig(10, 4, maxCounters, List.of(WindowSpec.parse("1m"))));
    started = server;
    return server;
  }

  private HttpResponse<String> post(Histogram histogram) throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    HistogramLogWriter writer = new HistogramLogWriter(log);
    writer.outputIntervalHistogram(1, 2, histogram);
    writer.close();
    return Objects.requireNonNull(started)
        .post("/api/v1/intervals?name=fine", log.toByteArray(), "text/plain");
  }

  private static JsonArray buckets(Histogram histogram) {
    JsonArray buckets = new JsonArray();
    for (HistogramIterationValue value : histogram.recordedValues()) {
      buckets.add(
          new JsonObject()
              .put("lowest", histogram.lowestEquivalentValue(value.getValueIteratedTo()))
              .put("highest", histogram.highestEquivalentValue(value.getValueIteratedTo()))
              .put("count", value.getCountAtValueIteratedTo()));
    }
    return buckets;
  }
}
