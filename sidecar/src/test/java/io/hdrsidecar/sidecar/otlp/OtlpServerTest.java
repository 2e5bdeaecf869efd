package io.hdrsidecar.sidecar.otlp;

import static io.hdrsidecar.sidecar.otlp.TakenRequests.bounded;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.explicit;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What exporters are answered, over real sockets. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class OtlpServerTest {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";
  private static final byte[] GOOD =
      TakenRequests.request(explicit("a", true, bounded(1, 2, 3))).toByteArray();

  private final HttpClient client = HttpClient.newHttpClient();
  private final OtlpListener listener = new OtlpListener();

  @AfterEach
  void stop() {
    listener.close();
  }

  private HttpRequest.Builder to(String path, String type) {
    URI uri = URI.create("http://127.0.0.1:" + listener.port() + path);
    return HttpRequest.newBuilder(uri).header("Content-Type", type);
  }

  private HttpResponse<byte[]> post(String type, byte[] body, String... headers) throws Exception {
    HttpRequest.Builder request = to("/v1/metrics", type).POST(BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static String type(HttpResponse<?> answer) {
    return answer.headers().firstValue("Content-Type").orElse("");
  }

  @Test
  void post_protobuf_isMergedBeforeTheAnswer() throws Exception {
    HttpResponse<byte[]> answer = post(PROTOBUF, GOOD);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(type(answer)).isEqualTo(PROTOBUF);
    assertThat(answer.body()).isEmpty();
    assertThat(listener.store.find(new SeriesKey("a", Labels.empty()))).isPresent();
    assertThat(listener.values()).isEqualTo(3);
  }

  @Test
  void post_gzip_isUnpacked() throws Exception {
    assertThat(post(PROTOBUF, gzip(GOOD), "Content-Encoding", "gzip").statusCode()).isEqualTo(200);
    assertThat(listener.values()).isEqualTo(3);
  }

  @Test
  void post_json_isAnsweredInJson() throws Exception {
    String json =
        """
        {"resourceMetrics":[{"scopeMetrics":[{"metrics":[
          {"name":"a","unit":"s","histogram":{"aggregationTemporality":1,"dataPoints":[
            {"timeUnixNano":"1700000000000000000","count":"3","bucketCounts":["3"]}]}},
          {"name":"b","gauge":{"dataPoints":[{"asInt":"1"}]}}]}]}]}
        """;

    HttpResponse<byte[]> answer =
        post("application/json; charset=utf-8", json.getBytes(StandardCharsets.UTF_8));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(type(answer)).isEqualTo(JSON);
    assertThat(new JsonObject(new String(answer.body(), StandardCharsets.UTF_8)))
        .isEqualTo(
            new JsonObject(
                """
                {"partialSuccess":
                  {"rejectedDataPoints":"1","errorMessage":"gauge: metric b: is a gauge"}}
                """));
    assertThat(listener.values()).isEqualTo(3);
  }

  @Test
  void post_aPartlyGoodRequest_saysHowManyAndWhyInProtobuf() throws Exception {
    byte[] request =
        TakenRequests.request(
                explicit("a", true, bounded(1, 2, 3)),
                explicit("bad", true, bounded(1, 2, 3).setCount(4)))
            .toByteArray();

    HttpResponse<byte[]> answer = post(PROTOBUF, request);

    var partial = ExportMetricsServiceResponse.parseFrom(answer.body()).getPartialSuccess();
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(partial.getRejectedDataPoints()).isEqualTo(1);
    assertThat(partial.getErrorMessage())
        .isEqualTo("bad_point: metric bad: count must be that of the buckets: 4 and 3");
  }

  /** Cut in its last byte: what comes before it must not be counted either. */
  @Test
  void post_damagedBytes_are400_andCountNothing() throws Exception {
    HttpResponse<byte[]> answer = post(PROTOBUF, Arrays.copyOf(GOOD, GOOD.length - 1));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(type(answer)).isEqualTo(PROTOBUF);
    // google.rpc.Status: code 3 (INVALID_ARGUMENT) as field 1, a message as field 2
    assertThat(answer.body()).startsWith(8, 3, 0x12);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("at byte");
    assertThat(listener.values()).isZero();

    HttpResponse<byte[]> json = post(JSON, "{".getBytes(StandardCharsets.UTF_8));
    assertThat(json.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(new String(json.body(), StandardCharsets.UTF_8)).getInteger("code"))
        .isEqualTo(3);
    assertThat(post(PROTOBUF, GOOD, "Content-Encoding", "gzip").statusCode()).isEqualTo(400);
  }

  @Test
  void post_aBombOfGzip_is413_andHoldsLittle() throws Exception {
    byte[] bomb = gzip(new byte[100 << 20]);
    // What comes beyond the limit is read and dropped up to the limit again, so the answer arrives.
    assertThat(bomb.length).isBetween(64 << 10, 128 << 10);
    byte[] small = gzip(new byte[40 << 20]);
    assertThat(small.length).isLessThan(64 << 10);

    assertThat(post(PROTOBUF, small, "Content-Encoding", "gzip").statusCode()).isEqualTo(413);
    assertThat(post(PROTOBUF, bomb, "Content-Encoding", "gzip").statusCode()).isEqualTo(413);
    assertThat(listener.share.mostHeldBytes()).isLessThan(1 << 20);
    assertThat(post(PROTOBUF, GOOD).statusCode()).isEqualTo(200);
  }

  @Test
  void post_gzipInManyEmptyParts_is400() throws Exception {
    byte[] part = gzip(new byte[0]);
    byte[] parts = new byte[3000 * part.length];
    for (int at = 0; at < parts.length; at += part.length) {
      System.arraycopy(part, 0, parts, at, part.length);
    }

    assertThat(post(PROTOBUF, parts, "Content-Encoding", "gzip").statusCode()).isEqualTo(400);
  }

  @Test
  void request_thatIsNoneOfOtlp_isRefusedByKind() throws Exception {
    assertThat(post("text/plain", GOOD).statusCode()).isEqualTo(415);
    assertThat(post(PROTOBUF, GOOD, "Content-Encoding", "zstd").statusCode()).isEqualTo(415);
    HttpResponse<byte[]> get =
        client.send(to("/v1/metrics", JSON).GET().build(), BodyHandlers.ofByteArray());
    assertThat(get.statusCode()).isEqualTo(405);
    assertThat(get.headers().firstValue("Allow")).hasValue("POST");
    HttpResponse<byte[]> traces =
        client.send(
            to("/v1/traces", JSON).POST(BodyPublishers.ofByteArray(GOOD)).build(),
            BodyHandlers.ofByteArray());
    assertThat(traces.statusCode()).isEqualTo(404);
    assertThat(listener.values()).isZero();
  }

  @Test
  void post_withoutTheToken_is401(@TempDir Path folder) throws Exception {
    Path tokens = Files.writeString(folder.resolve("tokens"), "secret\n");
    listener.another(tokens);

    assertThat(post(PROTOBUF, GOOD).statusCode()).isEqualTo(401);
    assertThat(post(PROTOBUF, GOOD, "Authorization", "Bearer wrong").statusCode()).isEqualTo(401);
    assertThat(post(PROTOBUF, GOOD, "Authorization", "Bearer secret").statusCode()).isEqualTo(200);
    assertThat(listener.values()).isEqualTo(3);
  }

  @Test
  void post_whileThereIsNoRoomForABody_is503_andSaysWhenToComeAgain() throws Exception {
    post(PROTOBUF, GOOD); // The connection has its room from now on.
    long others = listener.share.freeBytes() - (20 << 10);
    assertThat(listener.share.tryTake(others)).isTrue();

    HttpResponse<byte[]> answer = post(PROTOBUF, GOOD);

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
    listener.share.release(others);
    assertThat(post(PROTOBUF, GOOD).statusCode()).isEqualTo(200);
  }

  @Test
  void metrics_areCounted() throws Exception {
    post(PROTOBUF, GOOD);
    post(PROTOBUF, new byte[] {1});

    assertThat(listener.value("otlp.requests", "taken")).isEqualTo(1);
    assertThat(listener.value("otlp.requests", "bad")).isEqualTo(1);
    assertThat(listener.value("otlp.points", null)).isEqualTo(1);
    assertThat(listener.value("otlp.values", null)).isEqualTo(3);
    assertThat(listener.value("otlp.received.bytes", null)).isEqualTo(GOOD.length + 1);
  }
}
