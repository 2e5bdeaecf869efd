package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class IntervalsRouteTest {
  private static final int MAX_BODY = 1 << 20;
  private static final String GOOD =
      "0.127,1.007,2.769,HISTFAAAAEV42pNpmSzMwMCgyAABTBDKT4GBgdnNYMcCBvsPEBEJISEuATEZMQ4uASkhIR4nrxg9v2lMaxhvMekILGZkKmcCAEf2CsI=";

  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    server = new RunningServer(MAX_BODY);
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  @Test
  void post_jHiccupLog_givesItsKnownFigures() throws Exception {
    JsonObject answer = upload("jHiccup-2.0.7S.logV2.hlog", "name=hiccup");

    assertThat(answer.getLong("merged")).isEqualTo(62);
    assertThat(answer.getLong("refused")).isZero();
    JsonObject data = server.histogram("hiccup", "&window=total&percentiles=50,99.9,100");
    assertThat(data.getLong("count")).isEqualTo(48_761);
    assertThat(data.getString("unit")).isEqualTo("ns");
    assertThat(data.getLong("max")).isEqualTo(1_803_550_719L);
    assertThat(data.getBoolean("sumIsExact")).isFalse();
    assertThat(data.getJsonArray("percentiles"))
        .isEqualTo(
            new JsonArray()
                .add(percentile(50, 344_063))
                .add(percentile(99.9, 1_753_219_071))
                .add(percentile(100, 1_803_550_719)));
  }

  /** With the lowest value of its bucket, as HdrHistogram has it for jHiccup's configuration. */
  private static JsonObject percentile(Number percentile, int value) {
    Histogram buckets = new Histogram(20_000, 1L << 40, 2);
    return new JsonObject()
        .put("percentile", percentile)
        .put("value", value)
        .put("lowest", buckets.lowestEquivalentValue(value));
  }

  @Test
  void post_ycsbLog_givesItsKnownFigures() throws Exception {
    upload("ycsb.logV1.hlog", "name=ycsb");

    JsonObject data = server.histogram("ycsb", "&percentiles=99.9");
    assertThat(data.getLong("count")).isEqualTo(300_056);
    assertThat(data.getLong("max")).isEqualTo(1_546_239);
    assertThat(data.getJsonArray("percentiles").getJsonObject(0).getLong("value"))
        .isEqualTo(1_214_463);
  }

  @Test
  void post_taggedLog_givesOneSeriesPerTag() throws Exception {
    JsonObject answer = upload("tagged-Log.logV2.hlog", "name=N&label.host=h1");

    assertThat(answer.getJsonArray("series"))
        .containsExactly("N{host=\"h1\",tag=\"A\"}", "N{host=\"h1\"}");
    assertThat(server.histogram("N{tag=\"\"}", "").getLong("count")).isEqualTo(16_145);
    assertThat(server.histogram("N{tag=\"A\"}", "").getLong("count")).isEqualTo(16_145);
    assertThat(server.histogram("N", "").getLong("count")).isEqualTo(32_290);
  }

  @Test
  void post_logOfOldTimes_countsInTheTotalOnly() throws Exception {
    upload("jHiccup-2.0.7S.logV2.hlog", "name=hiccup");

    JsonObject data = server.histogram("hiccup", "&window=1m");
    assertThat(data.getLong("count")).isZero();
    assertThat(data.getValue("max")).isNull();
    assertThat(data.getJsonArray("percentiles")).isEmpty();
  }

  @Test
  void post_withBadLines_keepsTheGoodOnesAndListsTheBad() throws Exception {
    String log = "#comment\n" + GOOD + "\nTag=a b,1.0,1.0,x\n" + GOOD + "\n1.0,1.0,1.0,!!\n";

    HttpResponse<String> response = post("name=mixed", log);

    assertThat(response.statusCode()).isEqualTo(200);
    JsonObject data = new JsonObject(response.body()).getJsonObject("data");
    assertThat(data.getLong("merged")).isEqualTo(2);
    assertThat(data.getLong("refused")).isEqualTo(2);
    assertThat(data.getJsonArray("refusedLines").getJsonObject(0).getLong("line")).isEqualTo(3);
    assertThat(data.getJsonArray("refusedLines").getJsonObject(0).getString("reason"))
        .isEqualTo("bad_timestamp");
    assertThat(data.getJsonArray("refusedLines").getJsonObject(1).getLong("line")).isEqualTo(5);
    assertThat(server.get("/metrics").body())
        .contains("hdr_sidecar_log_lines_merged_total 2.0\n")
        .contains("hdr_sidecar_log_lines_refused_total{reason=\"bad_base64\"} 1.0\n");
  }

  @Test
  void post_withNothingGood_isAnErrorAndListsTheBad() throws Exception {
    HttpResponse<String> response = post("name=bad", "nonsense\n");

    assertThat(response.statusCode()).isEqualTo(400);
    JsonObject body = new JsonObject(response.body());
    assertThat(body.getString("status")).isEqualTo("error");
    assertThat(body.getJsonObject("data").getLong("refused")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "#[StartTime: 1441812279.474 (seconds since epoch)]\n"})
  void post_withoutAnIntervalLine_isAnError(String log) throws Exception {
    HttpResponse<String> response = post("name=empty", log);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(response.body()).getString("error"))
        .startsWith("body: no interval line");
  }

  @Test
  void post_moreAtOnceThanTheBudget_is503UntilOthersHaveEnded() throws Exception {
    List<Socket> uploads = new ArrayList<>();
    try {
      for (int i = 0; i < 5; i++) { // one more than fit, and none of them ends
        uploads.add(server.open());
        OutputStream out = uploads.get(i).getOutputStream();
        out.write(
            ("POST /api/v1/intervals?name=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                    + MAX_BODY
                    + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.write("#".repeat(MAX_BODY - 1).getBytes(StandardCharsets.US_ASCII));
      }
      assertThat(firstAnswered(uploads)).startsWith("HTTP/1.1 503 ");
    } finally {
      for (Socket upload : uploads) {
        upload.close();
      }
    }
    String large = "#".repeat(MAX_BODY - 1000) + "\n" + GOOD;
    while (post("name=a", large).statusCode() != 200) { // until the class's time-out
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static String firstAnswered(List<Socket> sockets) throws Exception {
    while (true) { // until the class's time-out
      for (Socket socket : sockets) {
        if (socket.getInputStream().available() > 0) {
          return new String(socket.getInputStream().readNBytes(13), StandardCharsets.US_ASCII);
        }
      }
    }
  }

  @Test
  void post_refusedBeforeItsEnd_holdsNothing() throws Exception {
    byte[] tooLong = "#".repeat(MAX_BODY + 1).getBytes(StandardCharsets.UTF_8);
    byte[] whole = "#".repeat(MAX_BODY - 1).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 6; i++) { // more than fit at once
      assertThat(server.post("/api/v1/intervals", whole, "text/plain").statusCode()).isEqualTo(400);
      assertThat(
              server
                  .text(
                      server
                          .request("/api/v1/intervals?name=a")
                          .POST(
                              BodyPublishers.ofInputStream(
                                  () -> new ByteArrayInputStream(tooLong))))
                  .statusCode())
          .isEqualTo(413);
    }
    assertThat(post("name=a", GOOD).statusCode()).isEqualTo(200);
  }

  @Test
  void post_inAUnitTheNameDoesNotHave_isRefusedLineByLine() throws Exception {
    assertThat(post("name=x", GOOD).statusCode()).isEqualTo(200);

    HttpResponse<String> response = post("name=x&unit=ms", GOOD);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("series_conflict");
    assertThat(server.histogram("x", "").getLong("count")).isPositive();
  }

  @Test
  void post_ofAThousandLines_mergesThemAll() throws Exception {
    HttpResponse<String> response = post("name=many", (GOOD + "\n").repeat(1_000));

    assertThat(new JsonObject(response.body()).getJsonObject("data").getLong("merged"))
        .isEqualTo(1_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unit=ns | name: required, but missing",
        "name=a b | name: series name must match",
        "name=a&unit=h | unit: must be one of ns, us, ms, s, bytes, none: h",
        "name=a&label.le=5 | label.le: label name is reserved",
        "name=a&lable.x=5 | lable.x: not a known parameter",
        "name=a&name=b | name: given more than once"
      })
  void post_withABadParameter_namesIt(String query, String error) throws Exception {
    HttpResponse<String> response = post(query.replace(" ", "%20"), GOOD);

    assertThat(response.statusCode()).isEqualTo(400);
    JsonObject body = new JsonObject(response.body());
    assertThat(body.getString("errorType")).isEqualTo("bad_data");
    assertThat(body.getString("error")).startsWith(error);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "multipart/form-data; boundary=x", "image/png"})
  void post_ofAnotherType_is415(String type) throws Exception {
    HttpResponse<String> response =
        server.post("/api/v1/intervals?name=a", GOOD.getBytes(StandardCharsets.UTF_8), type);

    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(response.body()).contains("Content-Type: must be text/plain");
  }

  @Test
  void post_asAFormAsCurlDoes_isReadAsALog() throws Exception {
    HttpResponse<String> response =
        server.post(
            "/api/v1/intervals?name=a",
            RunningServer.fixture("ycsb.logV1.hlog"),
            "application/x-www-form-urlencoded");

    assertThat(response.statusCode()).isEqualTo(200);
  }

  @Test
  void post_compressed_is415() throws Exception {
    HttpResponse<String> response =
        server.text(
            server
                .request("/api/v1/intervals?name=a")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofString(GOOD)));

    assertThat(response.statusCode()).isEqualTo(415);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void post_overTheLimit_is413(boolean lengthTold) throws Exception {
    byte[] body = "#".repeat(MAX_BODY + 1).getBytes(StandardCharsets.UTF_8);

    HttpResponse<String> response =
        lengthTold
            ? server.post("/api/v1/intervals?name=a", body, "text/plain")
            : server.text(
                server
                    .request("/api/v1/intervals?name=a")
                    .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));

    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(response.body()).contains("body: must have at most 1048576 bytes");
    assertThat(server.get("/-/healthy").statusCode()).isEqualTo(200);
  }

  private JsonObject upload(String fixture, String query) throws Exception {
    HttpResponse<String> response =
        server.post("/api/v1/intervals?" + query, RunningServer.fixture(fixture), "text/plain");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new JsonObject(response.body()).getJsonObject("data");
  }

  private HttpResponse<String> post(String query, String log) throws Exception {
    return server.post(
        "/api/v1/intervals?" + query, log.getBytes(StandardCharsets.UTF_8), "text/plain");
  }
}
