package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.hdrsidecar.sidecar.sla.SlaEvaluator;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A real server on a free port, with a client for it. */
final class RunningServer {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  final SelfMetrics self = new SelfMetrics("1.2.3");
  final SeriesStore store;
  final AtomicBoolean ready = new AtomicBoolean(true);
  private final AtomicBoolean failing = new AtomicBoolean();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Vertx vertx =
      Vertx.builder().with(self.vertxOptions()).withMetrics(self.vertxMetricsFactory()).build();
  private final int port;
  private final Set<String> routes;

  RunningServer(int maxBodyBytes) throws Exception {
    this(new HttpConfig("127.0.0.1", 0, maxBodyBytes));
  }

  RunningServer(HttpConfig config) throws Exception {
    this(config, (InstantSource) null);
  }

  /** A server in a heap of another size. */
  RunningServer(HttpConfig config, HeapBudget heap) throws Exception {
    this(config, MergeConfig.defaults(), null, heap);
  }

  RunningServer(int maxBodyBytes, MergeConfig merge) throws Exception {
    this(new HttpConfig("127.0.0.1", 0, maxBodyBytes), merge, null, HeapBudget.ofThisProcess());
  }

  /** A server that takes nothing, if a clock is given, which is what its answers ask for now. */
  RunningServer(HttpConfig config, @Nullable InstantSource now) throws Exception {
    this(config, MergeConfig.defaults(), now, HeapBudget.ofThisProcess());
  }

  private RunningServer(
      HttpConfig config, MergeConfig merge, @Nullable InstantSource now, HeapBudget heap)
      throws Exception {
    store = new SeriesStore(merge);
    self.add(store);
    HttpServerVerticle server = now == null ? taking(config, heap) : answering(config, now);
    await(vertx.deployVerticle(server));
    port = server.actualPort();
    routes = server.routes();
  }

  private HttpServerVerticle taking(HttpConfig config, HeapBudget heap) {
    Context mergeContext = vertx.getOrCreateContext();
    return new HttpServerVerticle(
        config,
        ExposeConfig.defaults(),
        new HttpContext(
            store,
            task -> mergeContext.runOnContext(now -> task.run()),
            self.registry(),
            status(),
            new SlaEvaluator(store, InstantSource.system()),
            heap),
        Reload.NEVER);
  }

  private HttpServerVerticle answering(HttpConfig config, InstantSource now) {
    SlaEvaluator slas = new SlaEvaluator(store, InstantSource.system());
    return HttpServerVerticle.readOnly(config, store, self.registry(), status(), slas, now);
  }

  private StatusSource status() {
    return new StatusSource() {
      @Override
      public String version() {
        return "1.2.3";
      }

      @Override
      public Instant startedAt() {
        return Instant.parse("2026-01-02T03:04:05Z");
      }

      @Override
      public MemoryBound memoryBound() {
        return new MemoryBound(List.of(new MemoryItem("counts", 1000, "because")));
      }

      @Override
      public Map<String, String> config() {
        if (failing.getAndSet(false)) {
          throw new IllegalStateException("of no concern to callers");
        }
        return Map.of("http.port", "0");
      }

      @Override
      public boolean isReady() {
        return ready.get();
      }

      @Override
      public String trouble() {
        return "";
      }
    };
  }

  /** Method and path of everything it answers. */
  Set<String> routes() {
    return routes;
  }

  /** The next answer about the status will fail. */
  void failNextStatus() {
    failing.set(true);
  }

  /** Merges one value into a series with one label, as a log line. */
  void upload(String name, String label, String value) throws Exception {
    Histogram histogram = new Histogram(1, 1_000_000, 3);
    histogram.recordValue(7);
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    String line =
        "0.000,1.000,0.007,"
            + Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length))
            + "\n";
    String path = "/api/v1/intervals?name=" + name + "&label." + label + "=" + value;
    HttpResponse<String> answer =
        post(path, line.getBytes(StandardCharsets.US_ASCII), "text/plain");
    if (answer.statusCode() != 200) {
      throw new AssertionError(answer.body());
    }
  }

  private static void await(Future<?> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  int port() {
    return port;
  }

  /** A connection for requests that the client of the JDK would not send. */
  Socket open() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  HttpRequest.Builder request(String pathAndQuery) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + pathAndQuery))
        .timeout(PATIENCE);
  }

  HttpResponse<String> get(String pathAndQuery) throws IOException, InterruptedException {
    return text(request(pathAndQuery).GET());
  }

  HttpResponse<String> post(String pathAndQuery, byte[] body, String contentType)
      throws IOException, InterruptedException {
    BodyPublisher publisher = BodyPublishers.ofByteArray(body);
    return text(request(pathAndQuery).header("Content-Type", contentType).POST(publisher));
  }

  HttpResponse<String> text(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<byte[]> bytes(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  /** The data of a successful histogram query. */
  JsonObject histogram(String selector, String more) throws IOException, InterruptedException {
    HttpResponse<String> response = get("/api/v1/histogram?series=" + encoded(selector) + more);
    if (response.statusCode() != 200) {
      throw new AssertionError(response.statusCode() + " " + response.body());
    }
    return new JsonObject(response.body()).getJsonObject("data");
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  static byte[] fixture(String name) throws IOException {
    try (InputStream in = RunningServer.class.getResourceAsStream("/hlog/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  void stop() throws Exception {
    await(vertx.close());
  }
}
