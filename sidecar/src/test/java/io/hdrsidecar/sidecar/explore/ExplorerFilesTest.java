package io.hdrsidecar.sidecar.explore;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a folder made for this test, asked for over HTTP. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ExplorerFilesTest {
  private static final String FOLDER = "explorer-files";

  private final HttpClient client = HttpClient.newHttpClient();
  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;

  ExplorerFilesTest() {
    ExplorerFiles files = new ExplorerFiles(FOLDER);
    Router router = Router.router(vertx);
    router.get("/").handler(files);
    router.head("/").handler(files);
    router.get("/explore/*").handler(files);
    router.head("/explore/*").handler(files);
    router.get("/secret").handler(context -> context.end("only for those with a token"));
    server = vertx.createHttpServer().requestHandler(router);
  }

  @BeforeEach
  void listen() throws Exception {
    await(server.listen(0, "127.0.0.1"));
  }

  @AfterEach
  void stop() throws Exception {
    await(vertx.close());
  }

  private static void await(Future<?> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private HttpResponse<byte[]> send(String method, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + path))
            .method(method, BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static byte[] file(String name) throws IOException {
    try (InputStream in = ExplorerFilesTest.class.getResourceAsStream("/" + FOLDER + "/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/, index.html, text/html; charset=utf-8",
    "/explore/app.js, app.js, text/javascript; charset=utf-8",
    "/explore/vendor/LICENSE, vendor/LICENSE, text/plain; charset=utf-8"
  })
  void get_file_isSentAsItIsWithTypeAndPolicy(String path, String name, String contentType)
      throws Exception {
    HttpResponse<byte[]> answer = send("GET", path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(file(name));
    assertThat(header(answer, "Content-Type")).isEqualTo(contentType);
    assertThat(header(answer, "Cache-Control")).isEqualTo("no-cache");
    assertThat(header(answer, "Vary")).isEqualToIgnoringCase("Accept-Encoding");
    assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(answer, "Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(List.of(header(answer, "Content-Security-Policy").split("; ")))
        .containsExactlyInAnyOrder(
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'");
  }

  @Test
  void get_forABrowserThatTakesGzip_isCompressed() throws Exception {
    HttpResponse<byte[]> answer = send("GET", "/", "Accept-Encoding", "gzip, deflate, br");

    assertThat(header(answer, "Content-Encoding")).isEqualTo("gzip");
    assertThat(answer.body().length).isLessThan(file("index.html").length);
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
      assertThat(in.readAllBytes()).isEqualTo(file("index.html"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "br", "gzip;q=0", "gzip; q=0.0", ";;q=,,", "*;q=0"})
  void get_forABrowserThatDoesNotTakeGzip_isPlain(String coding) throws Exception {
    HttpResponse<byte[]> answer = send("GET", "/", "Accept-Encoding", coding);

    assertThat(header(answer, "Content-Encoding")).isEmpty();
    assertThat(answer.body()).isEqualTo(file("index.html"));
  }

  @Test
  void get_whatCompressionWouldLengthen_isPlain() throws Exception {
    HttpResponse<byte[]> answer = send("GET", "/explore/app.js", "Accept-Encoding", "gzip");

    assertThat(header(answer, "Content-Encoding")).isEmpty();
    assertThat(answer.body()).isEqualTo(file("app.js"));
  }

  @Test
  void etag_ofEachForm_isItsOwn() throws Exception {
    String plain = header(send("GET", "/"), "ETag");
    String gzipped = header(send("GET", "/", "Accept-Encoding", "gzip"), "ETag");

    assertThat(plain).matches("\"[0-9a-f]{16}\"").isNotEqualTo(gzipped);
    assertThat(gzipped).matches("\"[0-9a-f]{16}-gzip\"");
    assertThat(header(send("GET", "/explore/app.js"), "ETag")).isNotEqualTo(plain);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "W/%s", "\"other\", %s", "*"})
  void get_withTheEtagOfWhatThereIs_is304(String condition) throws Exception {
    String etag = header(send("GET", "/", "Accept-Encoding", "gzip"), "ETag");

    HttpResponse<byte[]> answer =
        send("GET", "/", "Accept-Encoding", "gzip", "If-None-Match", condition.formatted(etag));

    assertThat(answer.statusCode()).isEqualTo(304);
    assertThat(answer.body()).isEmpty();
    assertThat(header(answer, "ETag")).isEqualTo(etag);
    assertThat(header(answer, "Cache-Control")).isEqualTo("no-cache");
  }

  @Test
  void get_withAnotherEtag_isSentAgain() throws Exception {
    HttpResponse<byte[]> answer = send("GET", "/", "If-None-Match", "\"0123456789abcdef\"");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(file("index.html"));
  }

  @Test
  void head_file_hasTheHeadersOfGetAndNoBody() throws Exception {
    HttpResponse<byte[]> get = send("GET", "/");

    HttpResponse<byte[]> head = send("HEAD", "/");

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().map()).isEqualTo(get.headers().map());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/explore",
        "/explore/",
        "/explore/vendor",
        "/explore/vendor/",
        "/explore/none.js",
        "/explore/index.html",
        "/explore/ExplorerFiles.class",
        "/explore//app.js/",
        "/explore/%2e%2e/application.properties",
        "/explore/../../../../../../etc/passwd",
        "/explore/..%2f..%2f..%2fetc/passwd",
        "/explore/..%5c..%5cetc/passwd",
        "/explore/vendor/%2e%2e%2f%2e%2e%2fMETA-INF/MANIFEST.MF",
        "/explore/app.js%00.html"
      })
  void get_whatIsNoFile_is404(String path) throws Exception {
    assertThat(raw("GET " + path)).startsWith("HTTP/1.1 404 ");
  }

  @Test
  void get_outOfTheFolderByDots_isRoutedAsTheOtherPath() throws Exception {
    assertThat(raw("GET /explore/../secret")).startsWith("HTTP/1.1 200 ").endsWith("with a token");
    assertThat(raw("GET /explore/vendor/../app.js"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith(new String(file("app.js"), UTF_8));
  }

  /** An answer to a path that a client of ours would tidy up before sending it. */
  private String raw(String methodAndPath) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
      socket.setSoTimeout(30_000);
      String request = methodAndPath + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }
}
