package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.http.ErrorEnvelope;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** Tokens, slow and greedy clients, and what a failure gives away. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HttpAccessTest {
  private static final HttpLimits TIGHT = limits("1s");

  private final Path folder;
  private @Nullable RunningServer running;

  HttpAccessTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @AfterEach
  void stop() throws Exception {
    server().stop();
  }

  private void start(boolean openMetrics, HttpLimits limits, String tokens) throws Exception {
    @Nullable Path file =
        tokens.isEmpty() ? null : Files.writeString(folder.resolve("tokens"), tokens + "\n");
    running =
        new RunningServer(
            new HttpConfig(
                "127.0.0.1", 0, 4096, new AccessConfig(null, file), openMetrics, limits));
  }

  private RunningServer server() {
    return Objects.requireNonNull(running, "not started");
  }

  private HttpResponse<String> get(String path, String authorization) throws Exception {
    HttpRequest.Builder request = server().request(path);
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return server().text(request);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/metrics",
        "/api/v1/status",
        "/api/v1/series",
        "/none",
        "/-/healthy/../x",
        "/explore/../api/v1/status",
        "/explore/%2e%2e/api/v1/status",
        "/explorer"
      })
  void token_missingOrWrong_is401WithAChallenge(String path) throws Exception {
    start(false, HttpLimits.defaults(), "s3cret");

    for (String shown : List.of("", "Bearer wrong", "Bearer ", "Basic s3cret", "s3cret")) {
      HttpResponse<String> answer = get(path, shown);

      assertThat(answer.statusCode()).as(shown).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate"))
          .hasValue("Bearer realm=\"hdr-sidecar\"");
      assertThat(new JsonObject(answer.body()))
          .isEqualTo(
              new JsonObject()
                  .put("status", "error")
                  .put("errorType", "unauthorized")
                  .put("error", "bearer token missing or wrong"));
    }
  }

  @Test
  void token_right_isServed() throws Exception {
    start(false, HttpLimits.defaults(), "s3cret");

    assertThat(get("/metrics", "Bearer s3cret").statusCode()).isEqualTo(200);
    assertThat(get("/api/v1/status", "bearer s3cret").statusCode()).isEqualTo(200);
    assertThat(get("/none", "Bearer s3cret").statusCode()).isEqualTo(404);
  }

  @Test
  void document_saysThatATokenIsNeededWhileItIs() throws Exception {
    start(false, HttpLimits.defaults(), "s3cret");

    String document = get("/api/v1/openapi.yaml", "Bearer s3cret").body();

    Map<String, Object> asked = new Yaml().load(document);
    assertThat(asked).containsEntry("security", List.of(Map.of("bearer", List.of())));
  }

  @Test
  void document_withoutTokens_saysThatNoneIsNeeded() throws Exception {
    start(false, HttpLimits.defaults(), "");

    Map<String, Object> asked = new Yaml().load(get("/api/v1/openapi.yaml", "").body());
    assertThat(asked).containsEntry("security", List.of(Map.of(), Map.of("bearer", List.of())));
  }

  @Test
  void liveStream_whoseTokenIsTakenAway_ends() throws Exception {
    start(false, HttpLimits.defaults(), "old");
    server().store.past().keepIn(new History(1 << 20));
    SeriesKey key = new SeriesKey("calls", Labels.empty());
    BucketLayout layout = BucketLayout.of(1, 3);
    server().store.register(new SeriesDefinition(key, Unit.NANOSECONDS, "", layout, 1 << 30));
    HttpRequest request =
        server().request("/api/v1/live?series=calls").header("Authorization", "Bearer old").build();
    HttpResponse<Stream<String>> stream =
        HttpClient.newHttpClient().send(request, BodyHandlers.ofLines());
    assertThat(stream.statusCode()).isEqualTo(200);

    Files.writeString(folder.resolve("tokens"), "new\n");

    assertThat(stream.body().toList())
        .contains("event: error")
        .anySatisfy(line -> assertThat(line).contains("unauthorized", "no longer valid"));
  }

  @Test
  void probes_withoutToken_areServed() throws Exception {
    start(false, HttpLimits.defaults(), "s3cret");

    assertThat(get("/-/healthy", "").statusCode()).isEqualTo(200);
    assertThat(get("/-/ready", "").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/explore/none.js", "/explore/..%2fapi/v1/status"})
  void explorerFiles_needNoToken(String path) throws Exception {
    start(false, HttpLimits.defaults(), "s3cret");

    HttpResponse<String> answer = get(path, "");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(new JsonObject(answer.body()).getString("errorType")).isEqualTo("not_found");
  }

  @Test
  void explorer_switchedOff_isNotThere() throws Exception {
    running = new RunningServer(withoutExplorer());

    assertThat(get("/", "").statusCode()).isEqualTo(404);
    assertThat(get("/explore/app.js", "").statusCode()).isEqualTo(404);
    assertThat(server().routes()).doesNotContain("GET /", "GET /explore/").isNotEmpty();
  }

  private static HttpLimits limits(String timeout) {
    return SettingRecords.of(
        HttpLimits.class,
        Map.of(
            "http.max-connections",
            "2",
            "http.max-header",
            "2KiB",
            "http.header-timeout",
            timeout,
            "http.request-timeout",
            timeout,
            "http.idle-timeout",
            timeout,
            "query.max-series",
            "3"));
  }

  private static HttpConfig withoutExplorer() {
    return SettingRecords.of(
        HttpConfig.class, Map.of("http.port", "0", "explore.enabled", "off"), AccessConfig.OPEN);
  }

  @Test
  void metrics_opened_needNoTokenAndTheRestDoes() throws Exception {
    start(true, HttpLimits.defaults(), "s3cret");

    assertThat(get("/metrics", "").statusCode()).isEqualTo(200);
    assertThat(get("/api/v1/status", "").statusCode()).isEqualTo(401);
  }

  @Test
  void upload_withoutToken_isRefusedWithoutReadingTheBody() throws Exception {
    start(false, HttpLimits.defaults(), "s3cret");

    HttpResponse<String> answer =
        server()
            .text(
                server()
                    .request("/api/v1/intervals?name=x")
                    .POST(BodyPublishers.ofString("x".repeat(99))));

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(server().store.series()).isEmpty();
  }

  @Test
  void token_changed_isTakenUp() throws Exception {
    start(false, HttpLimits.defaults(), "old");
    assertThat(get("/metrics", "Bearer old").statusCode()).isEqualTo(200);

    Files.writeString(folder.resolve("tokens"), "new\n");

    while (get("/metrics", "Bearer new").statusCode() != 200) {
      LockSupport.parkNanos(1_000_000); // the time limit of the test ends it
    }
    assertThat(get("/metrics", "Bearer old").statusCode()).isEqualTo(401);
  }

  @Test
  void headers_byteByByte_endWithTheTime() throws Exception {
    start(false, TIGHT, "");

    try (Socket socket = connect()) {
      assertThat(drip(socket, "GET /metrics HTTP/1.1\r\nX: ")).isTrue();
    }
    assertThat(get("/metrics", "").body())
        .contains("hdr_sidecar_http_connections_closed_total{reason=\"too_slow\"} 1");
  }

  @Test
  void body_byteByByte_endsWithTheTime() throws Exception {
    start(false, TIGHT, "");

    try (Socket socket = connect()) {
      String head =
          """
          POST /api/v1/intervals?name=x HTTP/1.1\r
          Host: localhost\r
          Content-Length: 4000\r
          \r
          """;
      assertThat(drip(socket, head)).isTrue();
    }
  }

  /** Sends this, and then a byte now and then; true when the other end has had enough. */
  private static boolean drip(Socket socket, String start) throws IOException {
    socket.getOutputStream().write(start.getBytes(StandardCharsets.US_ASCII));
    socket.setSoTimeout(50);
    InputStream in = socket.getInputStream();
    while (true) {
      try {
        socket.getOutputStream().write('x');
        if (in.read() < 0) {
          return true;
        }
      } catch (SocketTimeoutException quiet) {
        assertThat(socket.isConnected()).isTrue(); // nothing said yet: goes on
      } catch (IOException closed) {
        return true;
      }
    }
  }

  @Test
  void connections_aboveTheLimit_takeThePlaceOfWhoIsIdleForLongest() throws Exception {
    start(false, limits("1m"), "");
    List<Socket> held = new ArrayList<>();
    try {
      for (int i = 0; i < 2 + ConnectionWatch.RESERVED; i++) {
        held.add(connect());
        ask(held.get(i));
      }
      ask(held.get(0));
      held.add(connect());
      ask(held.get(held.size() - 1));

      assertThat(held.remove(1).getInputStream().read()).isNegative();
      for (Socket socket : held) {
        ask(socket);
      }
    } finally {
      for (Socket socket : held) {
        socket.close();
      }
    }
  }

  /** One whole answer of a probe. */
  private static void ask(Socket socket) throws IOException {
    socket
        .getOutputStream()
        .write(
            "GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
    StringBuilder answer = new StringBuilder();
    while (!answer.toString().endsWith("healthy.\n")) {
      int next = socket.getInputStream().read();
      assertThat(next).isNotNegative();
      answer.append((char) next);
    }
  }

  private Socket connect() throws IOException {
    return new Socket(
        InetAddress.getLoopbackAddress(), server().request("/").build().uri().getPort());
  }

  @Test
  void headers_tooLong_areRefused() throws Exception {
    start(false, TIGHT, "");

    assertThat(
            server().text(server().request("/metrics").header("X", "x".repeat(4096))).statusCode())
        .isEqualTo(431);
    HttpResponse<String> answer = get("/" + "x".repeat(4096), "");
    assertThat(answer.statusCode()).isEqualTo(414);
    assertThat(answer.headers().firstValue("Content-Type"))
        .hasValue("application/json; charset=utf-8");
    assertThat(new JsonObject(answer.body()))
        .isEqualTo(ErrorEnvelope.of("bad_data", "request line is too long (http.max-header)"));
  }

  @Test
  void failureOfOurs_toldInGeneralWithoutAStackTrace() throws Exception {
    start(false, HttpLimits.defaults(), "");
    server().failNextStatus();

    HttpResponse<String> answer = get("/api/v1/status", "");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(new JsonObject(answer.body()))
        .isEqualTo(
            new JsonObject()
                .put("status", "error")
                .put("errorType", "internal")
                .put("error", "internal error, see the sidecar's log"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/v1/series?series=", "/api/v1/histogram?series="})
  void selector_lookingAtTooManySeries_isBadData(String path) throws Exception {
    start(false, TIGHT, "");
    for (int i = 0; i < 4; i++) {
      server().upload("many", "n", Integer.toString(i));
    }
    server().upload("one", "n", "0");

    HttpResponse<String> many = get(path + RunningServer.encoded("many{n=\"1\"}"), "");
    HttpResponse<String> one = get(path + RunningServer.encoded("one{n=\"0\"}"), "");

    assertThat(many.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(many.body()).getString("error"))
        .startsWith("series: more than 3 series have a name that fits (query.max-series)");
    assertThat(one.statusCode()).isEqualTo(200);
  }

  @Test
  void selector_tooManyConditions_isBadData() throws Exception {
    start(false, HttpLimits.defaults(), "");
    String selector = "x{" + "a=\"1\",".repeat(40) + "}";

    HttpResponse<String> answer =
        get("/api/v1/series?series=" + RunningServer.encoded(selector), "");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("selector must have at most 32 conditions");
  }
}
