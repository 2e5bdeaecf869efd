package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.Promtool;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpServerVerticleTest {
  private static final String LOG = "ycsb.logV1.hlog";
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new RunningServer(1 << 20);
    byte[] log = RunningServer.fixture(LOG);
    server.post("/api/v1/intervals?name=ycsb&label.op=read", log, "text/plain");
    server.post("/api/v1/intervals?name=ycsb&label.op=write", log, "text/plain");
    server.post("/api/v1/intervals?name=other&unit=ms", log, "text/plain");
    server.upload("pay", "kind", "response");
    server.upload("pay", "kind", "service");
    server.upload("pause", "corrected", "");
    server.upload("pause", "corrected", "expected_interval");
    server.upload("job_run", "kind", "cron");
    server.upload("job_run", "kind", "response");
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
  }

  @Test
  void histogram_asHgrm_hasTheBytesHdrHistogramPrints() throws Exception {
    HttpResponse<String> response =
        server.get(
            "/api/v1/histogram?series=ycsb%7Bop=%22read%22%7D&format=hgrm&ratio=1e6&ticks=7");

    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    added(LOG).outputPercentileDistribution(new PrintStream(expected, true, "UTF-8"), 7, 1e6);
    assertThat(response.body()).isEqualTo(expected.toString(StandardCharsets.UTF_8));
    assertThat(response.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
  }

  @Test
  void histogram_asV2_isTheHistogramAsTextOrBytes() throws Exception {
    String path = "/api/v1/histogram?series=ycsb%7Bop=%22read%22%7D&format=v2";

    byte[] fromText = Base64.getDecoder().decode(server.get(path).body());
    byte[] bytes =
        server.bytes(server.request(path).header("Accept", "application/octet-stream")).body();

    assertThat(bytes).isEqualTo(fromText);
    assertThat(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0))
        .isEqualTo(added(LOG));
  }

  @Test
  void histogram_ofSeveralSeries_addsCounts() throws Exception {
    JsonObject data = server.histogram("ycsb", "&percentiles=99.9");

    assertThat(data.getLong("count")).isEqualTo(600_112);
    assertThat(data.getJsonArray("series"))
        .containsExactly("ycsb{op=\"read\"}", "ycsb{op=\"write\"}");
    assertThat(data.getJsonArray("percentiles").getJsonObject(0).getLong("value"))
        .isEqualTo(1_214_463);
  }

  @Test
  void histogram_withBuckets_listsThemAsHdrHistogramHasThem() throws Exception {
    JsonArray buckets =
        server.histogram("ycsb{op=\"read\"}", "&buckets=true").getJsonArray("buckets");

    JsonArray expected = new JsonArray();
    Histogram log = added(LOG);
    log.recordedValues()
        .forEach(
            bucket ->
                expected.add(
                    new JsonObject()
                        .put("lowest", log.lowestEquivalentValue(bucket.getValueIteratedTo()))
                        .put("highest", bucket.getValueIteratedTo())
                        .put("count", bucket.getCountAddedInThisIterationStep())));
    assertThat(buckets).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ycsb_seconds{op=\"read\"}",
        "{__name__=\"ycsb\",op=\"read\"}",
        "{__name__=~\"yc.*\",op!=\"write\"}",
        "ycsb{op=~\"re.d|none\",missing=\"\"}",
        " ycsb { op !~ 'wri.*' , } "
      })
  void histogram_byAnySelectorForIt_findsTheSeries(String selector) throws Exception {
    assertThat(server.histogram(selector, "").getJsonArray("series"))
        .containsExactly("ycsb{op=\"read\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "series=nothing | 404 | series: no series matches the selector",
        "window=1m | 400 | series: required, but missing",
        "series=ycsb&window=5x | 400 | window: not a known window: 5x; known: 1m, total",
        "series=ycsb&format=xml | 400 | format: must be json, hgrm, csv, hlog or v2: xml",
        "series=ycsb&percentiles=50,101 | 400 | percentiles: must be numbers from 0 to 100",
        "series=ycsb&percentiles= | 400 | percentiles: must be numbers from 0 to 100",
        "series=ycsb&buckets=yes | 400 | buckets: must be true or false: yes",
        "series=ycsb&ratio=0 | 400 | ratio: must be a number from 1e-9 to 1e18",
        "series=ycsb&ticks=0 | 400 | ticks: must be a whole number from 1 to 100: 0",
        "series=ycsb&windows=1m | 400 | windows: not a known parameter",
        "series=ycsb&series=other | 400 | series: given more than once",
        "series=%7Ba=~%22(%22%7D | 400 | series: at character 5: not a regular expression of RE2",
        "series=%7B__name__=~%22.%2B%22%7D | 400 | series: matches series of different units",
        "series=pay | 400 | series: matches series that differ in the label kind,"
            + " different times of the same calls, which must not be added up; add to the"
            + " selector: kind=\"response\" or kind=\"service\"",
        "series=pause | 400 | series: matches series that differ in the label corrected,"
            + " raw and corrected values, which must not be added up; add to the"
            + " selector: corrected=\"\" or corrected=\"expected_interval\"",
        "series=ycsb%7B | 400 | series: at character 6: expected a label name or '}', found the end"
      })
  void histogram_askedWrongly_saysWhat(String query, int status, String error) throws Exception {
    HttpResponse<String> response = server.get("/api/v1/histogram?" + query);

    assertThat(response.statusCode()).isEqualTo(status);
    JsonObject body = new JsonObject(response.body());
    assertThat(body.getString("status")).isEqualTo("error");
    assertThat(body.getString("errorType")).isEqualTo(status == 404 ? "not_found" : "bad_data");
    assertThat(body.getString("error")).startsWith(error);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pay{kind=\"response\"}",
        "pause{corrected=\"\"}",
        "pause{corrected=\"expected_interval\"}",
        "job_run{}"
      })
  void histogram_ofWhatMayBeAddedUp_isAnswered(String selector) throws Exception {
    assertThat(server.histogram(selector, "").getLong("count")).isPositive();
  }

  @Test
  void series_withASelector_listsWhatMatches() throws Exception {
    JsonArray all = new JsonObject(server.get("/api/v1/series").body()).getJsonArray("data");
    JsonArray one =
        new JsonObject(server.get("/api/v1/series?series=other").body()).getJsonArray("data");

    assertThat(all).hasSize(9);
    assertThat(one).hasSize(1);
    assertThat(one.getJsonObject(0).getString("metric")).isEqualTo("other_seconds");
    assertThat(one.getJsonObject(0).getString("unit")).isEqualTo("ms");
    assertThat(one.getJsonObject(0).getLong("intervals")).isPositive();
  }

  @Test
  void status_tellsBuildConfigAndLimits() throws Exception {
    JsonObject data = new JsonObject(server.get("/api/v1/status").body()).getJsonObject("data");
    JsonObject memory = data.getJsonObject("memory");
    assertThat(memory.getLong("boundBytes")).isEqualTo(1000);
    assertThat(memory.getJsonArray("items").getJsonObject(0).encode())
        .isEqualTo("{\"name\":\"counts\",\"maxBytes\":1000,\"why\":\"because\"}");
    assertThat(memory.getLong("heapUsedBytes")).isPositive();

    assertThat(data.getString("version")).isEqualTo("1.2.3");
    assertThat(data.getString("startedAt")).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(data.getInteger("series")).isEqualTo(9);
    assertThat(data.getJsonArray("windows").getJsonObject(0).getString("name")).isEqualTo("1m");
    assertThat(data.getJsonObject("config").getString("http.port")).isEqualTo("0");
    assertThat(data.getJsonObject("limits").getMap())
        .containsOnlyKeys("series", "counters", "seriesBytes", "historyBytes", "bodyBytes")
        .containsEntry("bodyBytes", 1 << 20);
  }

  @Test
  void ready_whileStopping_is503AndHealthyStays200() throws Exception {
    assertThat(server.get("/-/ready").statusCode()).isEqualTo(200);
    server.ready.set(false);
    try {
      assertThat(server.get("/-/ready").statusCode()).isEqualTo(503);
      assertThat(server.get("/-/healthy").statusCode()).isEqualTo(200);
    } finally {
      server.ready.set(true);
    }
  }

  @Test
  void metrics_theWholePage_pleasesPromtool() throws Exception {
    server.get("/api/v1/status");
    server.get("/nowhere");
    String page = server.get("/metrics").body();

    assertThat(page)
        .contains("ycsb_seconds_count{op=\"read\"} 300056\n")
        .contains("hdr_sidecar_http_request_duration_seconds_count{")
        .contains("\nprocess_cpu_seconds_total ")
        .contains("\nprocess_start_time_seconds ")
        .containsPattern("\n# TYPE process_resident_memory_bytes gauge\nprocess_res\\w+ [1-9]")
        .containsPattern("\n# TYPE process_open_fds gauge\nprocess_open_fds [1-9]")
        .containsPattern("\n# TYPE process_max_fds gauge\nprocess_max_fds [1-9]")
        .contains("hdr_sidecar_jvm_memory_used_bytes")
        .contains("hdr_sidecar_build_info{java=");
    Promtool.assertSilentOn(page);
  }

  @Test
  void metrics_forAScraperThatTakesGzip_isCompressed() throws Exception {
    HttpResponse<byte[]> response =
        server.bytes(
            server
                .request("/metrics")
                .header("Accept-Encoding", "gzip")
                .header("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"));

    assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/openmetrics-text");
    byte[] page = new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
    assertThat(new String(page, StandardCharsets.UTF_8)).endsWith("# EOF\n");
  }

  @ParameterizedTest
  @CsvSource({
    "gzip, true",
    "'deflate, gzip;q=0.5', true",
    "GZIP, true",
    "gzip;q=0, false",
    "'gzip; q=0.0', false",
    "identity, false",
    "'*', false"
  })
  void acceptsGzip_onlyWhenItIsNamed(String header, boolean accepted) {
    assertThat(MetricsRoute.acceptsGzip(header)).isEqualTo(accepted);
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /metrics, 'GET, HEAD'",
    "DELETE, /api/v1/histogram, 'GET, HEAD'",
    "GET, /api/v1/intervals, POST"
  })
  void anyPath_withAnotherMethod_is405AndNamesTheRightOne(String method, String path, String allow)
      throws Exception {
    HttpResponse<String> response =
        server.text(server.request(path).method(method, BodyPublishers.noBody()));

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).hasValue(allow);
    assertThat(new JsonObject(response.body()).getString("errorType")).isEqualTo("bad_data");
  }

  @Test
  void anUnknownPath_is404InTheEnvelope() throws Exception {
    HttpResponse<String> response = server.get("/api/v2/histogram");

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(new JsonObject(response.body()).getString("error"))
        .isEqualTo("no such path: /api/v2/histogram");
  }

  @Test
  void aPathThatCannotBeDecoded_is400InTheEnvelope() throws Exception {
    try (Socket socket = server.open()) {
      String request = "GET /metrics%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));

      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer)
          .startsWith("HTTP/1.1 400 ")
          .contains("\"errorType\":\"bad_data\"")
          .contains("path cannot be decoded: /metrics%zz");
    }
  }

  private static Histogram added(String fixture) {
    Histogram sum = new Histogram(1, 2, 3);
    sum.setAutoResize(true);
    try (HistogramLogReader reader =
        new HistogramLogReader(new ByteArrayInputStream(RunningServer.fixture(fixture)))) {
      while (reader.hasNext()) {
        if (reader.nextIntervalHistogram() instanceof Histogram histogram) {
          sum.add(histogram);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum;
  }
}
