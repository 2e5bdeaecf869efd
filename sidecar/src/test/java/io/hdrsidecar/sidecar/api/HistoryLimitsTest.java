package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static io.hdrsidecar.sidecar.support.UploadedSidecar.histogram;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What queries about the history refuse, and views that are corrected. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class HistoryLimitsTest {
  private static final long MILLI = 1_000_000;
  private static final long[] STALLED = {MILLI, 2 * MILLI, 3 * MILLI, 105 * MILLI};

  private final UploadedSidecar sidecar;

  HistoryLimitsTest() throws Exception {
    sidecar =
        new UploadedSidecar(
            Map.of(
                "--query-max-steps", "60",
                "--query-max-cells", "240",
                "--query-max-intervals", "3",
                "--query-max-corrections", "1000"));
  }

  @BeforeEach
  void upload() throws Exception {
    sidecar.upload("name=calls&unit=ns&label.kind=service", List.of(interval(0)));
    sidecar.upload("name=calls&unit=ns&label.kind=response", List.of(interval(0)));
    sidecar.upload("name=done&unit=ns", List.of(interval(0)));
    sidecar.upload("name=done&unit=ns&label.corrected=expected_interval", List.of(interval(0)));
    sidecar.upload("name=queue&unit=none", List.of(interval(0)));
    sidecar.upload(
        "name=many&unit=ns", List.of(interval(0), interval(1), interval(2), interval(3)));
  }

  private static Interval interval(int second) {
    return new Interval(second, second + 1, STALLED);
  }

  @AfterEach
  void stop() {
    sidecar.close();
  }

  private static Histogram corrected() {
    Histogram raw = histogram();
    for (long value : STALLED) {
      raw.recordValue(value);
    }
    return raw.copyCorrectedForCoordinatedOmission(10 * MILLI);
  }

  @Test
  void expectedInterval_onARawHistogram_givesHdrHistogramsCorrectionAndSaysSo() throws Exception {
    String query =
        "/api/v1/histogram?series="
            + encoded("done{corrected=\"\"}")
            + "&buckets=true&percentiles=50,90,100"
            + sidecar.between(0, 1);

    JsonObject raw = sidecar.data(query);
    JsonObject data = sidecar.data(query + "&expectedInterval=10ms");

    Histogram expected = corrected();
    assertThat(raw.getLong("count")).isEqualTo(4);
    assertThat(raw.getValue("corrected")).isNull();
    assertThat(data.getLong("count")).isEqualTo(expected.getTotalCount()).isEqualTo(13);
    assertThat(data.getJsonObject("corrected"))
        .isEqualTo(
            new JsonObject()
                .put("by", "expected_interval")
                .put("expectedInterval", 10 * MILLI)
                .put("added", 9));
    Histogram answered = histogram();
    for (Object each : data.getJsonArray("buckets")) {
      JsonObject bucket = (JsonObject) each;
      answered.recordValueWithCount(bucket.getLong("highest"), bucket.getLong("count"));
    }
    assertThat(answered).isEqualTo(expected);
    assertThat(data.getJsonArray("percentiles").getJsonObject(0).getLong("value"))
        .isEqualTo(expected.getValueAtPercentile(50));
    assertThat(data.getBoolean("sumIsExact")).isFalse();
    HttpResponse<String> text = sidecar.get(query + "&expectedInterval=10ms&format=hgrm");
    assertThat(text.headers().firstValue("Hdr-Sidecar-Corrected"))
        .contains("expected_interval=10ms");
  }

  @Test
  void expectedInterval_onPercentiles_correctsEachStep() throws Exception {
    JsonObject data =
        sidecar.data(
            "/api/v1/percentiles?step=1s&percentiles=50&series="
                + encoded("calls{kind=\"service\"}")
                + sidecar.between(0, 10)
                + "&expectedInterval=10000us");

    assertThat(data.getJsonObject("corrected").getInteger("added")).isEqualTo(9);
    JsonObject step = data.getJsonArray("steps").getJsonObject(0);
    assertThat(step.getLong("count")).isEqualTo(13);
    assertThat(step.getJsonArray("values"))
        .isEqualTo(new JsonArray().add(corrected().getValueAtPercentile(50)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "histogram?series=many&start=-20m;422;series: more than 3 intervals would have to be read",
        "percentiles?series=many&start=-20m&step=1m;422;series: more than 3 intervals",
        "percentiles?series=queue&start=-20m&step=1s;422;step: gives 120",
        "percentiles?series=queue&start=-20m&step=1m&percentiles=1,2,3,4,5,6,7,8,9,10,11,12,13;422;"
            + "percentiles: 2",
        "heatmap?series=queue&start=-20m&step=1m&buckets=100;422;buckets: 2",
        "heatmap?series=queue&start=-20m&step=1m&buckets=0;400;buckets: must be a whole number",
        "percentiles?series=queue&step=0s;400;step: must be a duration such as 10s",
        "percentiles?series=queue&step=soon;400;step: must be a duration such as 10s",
        "percentiles?series=queue&step=1m&start=soon;400;start: must be seconds since 1970",
        "percentiles?series=queue&step=1m&end=-999999999d;400;end: must be in the years 1970",
        "percentiles?series=queue&step=1m&start=200&end=100;400;end: must be after start",
        "percentiles?series=queue&step=1m&window=1m;400;window: not a known parameter",
        "percentiles?series=nobody&step=2m;404;series: no series matches the selector",
        "heatmap?series=calls&step=2m&buckets=5;400;series: matches series that differ in the label"
            + " kind",
        "heatmap?series=done&step=2m&buckets=5;400;series: matches series that differ in the label"
            + " corrected",
        "histogram?series=queue&window=1m&start=-5m;400;window: cannot go with start or end",
        "histogram?series=queue&expectedInterval=1ms;400;expectedInterval: corrects durations",
        "histogram?series=many&expectedInterval=fast;400;expectedInterval: must be a duration",
        "histogram?series=many&expectedInterval=0ms;400;expectedInterval: must be 1 ns or a",
        "histogram?series=many&expectedInterval=1us;422;expectedInterval: so short a one",
        "compare?a=calls&b=many;400;a: matches series that differ in the label kind",
        "compare?a=many&b=done;400;b: matches series that differ in the label corrected",
        "compare?a=many&b=queue;400;b: must have the unit of a to be compared with it: none",
        "compare?a=many;400;b: required, but missing",
        "compare?a=many&b=many&bEnd=soon;400;bEnd: must be seconds since 1970",
        "compare?a=many%7B&b=many;400;a: at character 6",
      })
  void badQuery_isRefusedWithTheParameter(String query, int status, String error) throws Exception {
    HttpResponse<String> answer = sidecar.get("/api/v1/" + query);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    JsonObject envelope = new JsonObject(answer.body());
    assertThat(envelope.getString("error")).startsWith(error);
    assertThat(envelope.getString("errorType"))
        .isEqualTo(status == 422 ? "execution" : status == 404 ? "not_found" : "bad_data");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "done{corrected!=\"\"};is corrected already",
        "calls{kind=\"response\"};is measured from the intended start"
      })
  void expectedInterval_onWhatHasTheWaitInIt_isRefused(String selector, String error)
      throws Exception {
    HttpResponse<String> answer =
        sidecar.get("/api/v1/histogram?expectedInterval=10ms&series=" + encoded(selector));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(answer.body()).getString("error"))
        .startsWith("expectedInterval: ")
        .contains(error);
  }

  @Test
  void compare_timesThatMustNotBeAddedUp_isAllowed() throws Exception {
    JsonObject data =
        sidecar.data(
            "/api/v1/compare?percentiles=50&a="
                + encoded("calls{kind=\"service\"}")
                + "&b="
                + encoded("calls{kind=\"response\"}"));

    assertThat(data.getJsonArray("percentiles").getJsonObject(0).getDouble("ratio")).isEqualTo(1);
  }

  @Test
  void range_withoutHistory_isRefusedSayingHowToSwitchItOn() throws Exception {
    try (UploadedSidecar without = new UploadedSidecar(Map.of("--history-max-memory", "0B"))) {
      without.upload("name=calls&unit=ns", List.of(interval(0)));

      HttpResponse<String> answer = without.get("/api/v1/histogram?series=calls&start=-20m");

      assertThat(answer.statusCode()).isEqualTo(422);
      assertThat(new JsonObject(answer.body()).getString("error")).contains("history.max-memory");
      assertThat(without.data("/api/v1/histogram?series=calls").getLong("count")).isEqualTo(4);
    }
  }
}
