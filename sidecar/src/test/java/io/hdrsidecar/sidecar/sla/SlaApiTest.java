package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code GET /api/v1/sla} of a real sidecar, over what three uploaded intervals say. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class SlaApiTest {
  private static final long MILLI = 1_000_000;
  private static final String LIMITS = "50%:20ms,99.9%:500ms,100%:2s";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path file;

  /** Ten minutes ago, on a whole second. */
  private final long origin = System.currentTimeMillis() / 1000 * 1000 - 600_000;

  private final Sidecar sidecar;

  SlaApiTest(@TempDir Path folder) throws Exception {
    file = Files.writeString(folder.resolve("sla.yaml"), "");
    Map<String, String> flags =
        Map.of(
            "--ingest-port", "0",
            "--http-port", "0",
            "--self-hiccups", "off",
            "--reload", "true",
            "--sla-file", file.toString());
    sidecar =
        Sidecar.start(
            ConfigLoader.load(flags, Map.of(), null),
            () -> ConfigLoader.load(flags, Map.of(), null));
  }

  @BeforeEach
  void upload() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLogWriter log = new HistogramLogWriter(bytes);
    log.outputLogFormatVersion();
    log.outputStartTime(origin);
    log.outputBaseTime(origin);
    log.setBaseTime(origin);
    write(log, 0, 100, 10, 0, 1);
    write(log, 60, 99, 10, 1, 3000);
    write(log, 120, 100, 30, 0, 1);
    log.close();
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(uri("/api/v1/intervals?name=calls&unit=ns"))
                .POST(BodyPublishers.ofByteArray(bytes.toByteArray()))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private void write(
      HistogramLogWriter log, int second, int times, int millis, int others, int otherMillis) {
    Histogram histogram = new Histogram(1, 1L << 42, 3);
    histogram.recordValueWithCount(millis * MILLI, times);
    if (others > 0) {
      histogram.recordValueWithCount(otherMillis * MILLI, others);
    }
    histogram.setStartTimeStamp(origin + second * 1000L);
    histogram.setEndTimeStamp(origin + second * 1000L + 1000);
    log.outputIntervalHistogram(histogram);
  }

  @AfterEach
  void stop() {
    sidecar.close();
  }

  private URI uri(String path) {
    return sidecar.httpAddress().resolve(path);
  }

  private HttpResponse<String> get(String query) throws Exception {
    return http.send(
        HttpRequest.newBuilder(uri("/api/v1/sla" + query)).build(), BodyHandlers.ofString());
  }

  private JsonObject only(String query) throws Exception {
    HttpResponse<String> answer = get(query);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonObject envelope = new JsonObject(answer.body());
    assertThat(envelope.getString("status")).isEqualTo("success");
    JsonArray slas = envelope.getJsonObject("data").getJsonArray("slas");
    assertThat(slas).hasSize(1);
    return slas.getJsonObject(0);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private String adHoc(String limits) {
    return "?selector=calls&limit=" + encoded(limits);
  }

  private String between(int fromSecond, int toSecond) {
    return "&start="
        + encoded(Instant.ofEpochMilli(origin).plusSeconds(fromSecond).toString())
        + "&end="
        + (origin / 1000 + toSecond);
  }

  private String at(int second) {
    return Instant.ofEpochMilli(origin).plusSeconds(second).toString();
  }

  private static long edge(long millis) {
    BucketLayout layout = BucketLayout.of(1, 3);
    return layout.highestValueAt(layout.indexOf(millis * MILLI));
  }

  @Test
  void adHocRule_overThePast_isJudgedOnWhatWasCountedThen() throws Exception {
    JsonObject sla = only(adHoc(LIMITS) + between(0, 180));

    assertThat(sla.getString("trouble")).isNull();
    assertThat(sla.getString("unit")).isEqualTo("ns");
    JsonObject past = sla.getJsonObject("past");
    assertThat(past.getString("start")).isEqualTo(at(0));
    assertThat(past.getString("end")).isEqualTo(at(121));
    assertThat(past.getInteger("intervals")).isEqualTo(3);
    assertThat(past.getDouble("resolutionSeconds")).isEqualTo(1);
    JsonArray rows = past.getJsonArray("rows");
    assertRow(rows.getJsonObject(0), true, 300, 199, edge(10), 1);
    assertRow(rows.getJsonObject(1), false, 300, 299, edge(3000), 1);
    assertRow(rows.getJsonObject(2), false, 300, 299, edge(3000), 1);
    assertInterval(rows.getJsonObject(0).getJsonObject("worst"), 120, edge(30));
    assertInterval(rows.getJsonObject(0).getJsonObject("lastBroken"), 120, edge(30));
    assertInterval(rows.getJsonObject(2).getJsonObject("worst"), 60, edge(3000));
    // 300 values may have 0.3 bad ones at 99.9 %, and have 1.
    assertThat(rows.getJsonObject(1).getDouble("budgetLeft")).isBetween(-2.34, -2.33);
    assertThat(rows.getJsonObject(2).getDouble("budgetLeft")).isNull();
    assertThat(rows.getJsonObject(0).getLong("snappedLimit")).isEqualTo(edge(20));
    assertThat(rows.getJsonObject(0).getLong("margin")).isEqualTo(edge(20) - edge(10));
  }

  private static void assertRow(
      JsonObject row, boolean met, int events, int good, long actual, int broken) {
    assertThat(row.getBoolean("met")).as(row.encode()).isEqualTo(met);
    assertThat(row.getInteger("events")).isEqualTo(events);
    assertThat(row.getInteger("good")).isEqualTo(good);
    assertThat(row.getDouble("ratio")).isEqualTo((double) good / events);
    assertThat(row.getLong("actual")).isEqualTo(actual);
    assertThat(row.getInteger("brokenIntervals")).isEqualTo(broken);
  }

  private void assertInterval(JsonObject interval, int second, long actual) {
    assertThat(interval.getString("start")).isEqualTo(at(second));
    assertThat(interval.getString("end")).isEqualTo(at(second + 1));
    assertThat(interval.getString("series")).isEqualTo("calls");
    assertThat(interval.getLong("actual")).isEqualTo(actual);
    assertThat(interval.getInteger("events")).isEqualTo(100);
  }

  @Test
  void adHocRule_overAShorterRange_seesOnlyThat() throws Exception {
    JsonObject past = only(adHoc(LIMITS) + between(90, 180)).getJsonObject("past");

    assertThat(past.getInteger("intervals")).isEqualTo(1);
    JsonArray rows = past.getJsonArray("rows");
    assertRow(rows.getJsonObject(0), false, 100, 0, edge(30), 1);
    assertRow(rows.getJsonObject(2), true, 100, 100, edge(30), 0);
    assertThat(rows.getJsonObject(2).getJsonObject("lastBroken")).isNull();
  }

  @Test
  void adHocRule_rangeWithoutIntervals_saysThatNothingIsCovered() throws Exception {
    JsonObject past = only(adHoc(LIMITS) + between(200, 300)).getJsonObject("past");

    assertThat(past.getInteger("intervals")).isZero();
    assertThat(past.getString("start")).isNull();
    assertThat(past.getJsonArray("rows")).isEmpty();
  }

  @Test
  void ruleAddedAfterwards_overThePast_isJudgedLikeOneThatWasThere() throws Exception {
    Files.writeString(
        file, "slas: [{name: late, selector: calls, limits: {50%: 20ms, 99.9%: 500ms, 100%: 2s}}]");
    assertThat(sidecar.reload().reload().problems()).isEmpty();

    JsonObject sla = only("?sla=late" + between(0, 180));

    assertThat(sla.getJsonObject("past"))
        .isEqualTo(only(adHoc(LIMITS) + between(0, 180)).getJsonObject("past"));
    assertThat(sla.getJsonObject("total").getJsonArray("rows").getJsonObject(1).getLong("good"))
        .isEqualTo(299);
    JsonObject window = sla.getJsonArray("windows").getJsonObject(0);
    assertThat(window.getString("window")).isEqualTo("1m");
    assertThat(window.getJsonArray("rows")).as("ten minutes ago is no window's").isEmpty();
  }

  @Test
  void rule_thatMatchesNothing_saysWhyAndIsNotGreen() throws Exception {
    JsonObject sla = only("?selector=nobody&limit=1s".replace("1s", encoded("100%:1s")));

    assertThat(sla.getString("trouble")).isEqualTo("no series matches the selector");
    assertThat(sla.getJsonArray("series")).isEmpty();
    assertThat(sla.containsKey("past")).isFalse();
    assertThat(sla.getJsonArray("windows").getJsonObject(0).getJsonArray("rows")).isEmpty();
  }

  @Test
  void noRules_isAnEmptyTable() throws Exception {
    HttpResponse<String> answer = get("");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(answer.body()).getJsonObject("data").getJsonArray("slas")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "?sla=none;404;sla: no rule has this name: none",
        "?selector=calls;400;limit: required, but missing",
        "?limit=50:1s;400;selector: required with limit, but missing",
        "?selector=calls%7B&limit=50:1s;400;selector: at character 7",
        "?selector=calls&limit=50:1s,40:2s;400;limit: percentiles must rise: 40% comes after 50%",
        "?selector=calls&limit=50:fast;400;limit: not a limit such as",
        "?selector=calls&limit=50;400;limit: must be percentile:limit",
        "?selector=calls&sla=x&limit=50:1s;400;sla: names a rule",
        "?start=yesterday;400;start: must be seconds since 1970",
        "?start=200&end=100;400;end: must be after start",
        "?window=1m;400;window: not a known parameter",
      })
  void badQuery_isAnsweredWithTheParameter(String query, int status, String error)
      throws Exception {
    HttpResponse<String> answer = get(query);

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(new JsonObject(answer.body()).getString("error")).startsWith(error);
  }
}
