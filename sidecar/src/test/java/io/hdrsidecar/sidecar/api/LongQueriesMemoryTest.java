package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.http.Failures;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesSource;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A query that takes long and all memory that it can get, beside one that takes little. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LongQueriesMemoryTest {
  private final HeapShare share = HeapBudget.of(64L << 20).share(Use.QUERIES);
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger attempts = new AtomicInteger();
  private final CountDownLatch holding = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final HttpServer server;

  LongQueriesMemoryTest() throws Exception {
    HttpLimits limits = HttpLimits.defaults();
    ConnectionWatch watch =
        new ConnectionWatch(limits, share, false, new MetricRegistry(), System::nanoTime);
    Queries questions =
        new Queries(
            vertx,
            vertx.createSharedWorkerExecutor("short", Queries.WORKERS),
            vertx.createSharedWorkerExecutor("long", Queries.WORKERS),
            new AnswerMemory(share, watch, () -> false),
            SeriesSource.STORE,
            new QueryScope(new SeriesStore(MergeConfig.defaults()), 1, QueryLimits.defaults()),
            limits);
    Router router = Router.router(vertx);
    router
        .get("/long")
        .handler(context -> questions.ask(context, scope -> NeededSeries.NOTHING, this::holdAll));
    router
        .get("/short")
        .handler(
            context ->
                questions.ask(context, scope -> NeededSeries.NOTHING, scope -> answer("short")));
    router.route().failureHandler(Failures::answer);
    server =
        vertx
            .createHttpServer()
            .requestHandler(router)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get();
  }

  @AfterEach
  void stop() throws Exception {
    gate.countDown();
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  private static Answer answer(String text) {
    return Envelope.success(new JsonObject().put("is", text));
  }

  private Answer holdAll(QueryScope scope) throws Exception {
    boolean isFirst = attempts.incrementAndGet() == 1;
    while (isFirst) {
      scope.turn().look();
    }
    scope.claim().grow(scope.claim().roomBytes());
    holding.countDown();
    gate.await();
    return answer("long");
  }

  private CompletableFuture<HttpResponse<String>> get(String path) {
    URI uri = URI.create("http://127.0.0.1:" + server.actualPort() + path);
    return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  @Test
  void whatTakesLittle_hasMemoryBesideWhatTakesLongAndAllItCan() throws Exception {
    CompletableFuture<HttpResponse<String>> long1 = get("/long");
    holding.await();
    // before another query holds memory: an answer that arrived may hold it for a moment longer
    assertThat(share.heldBytes()).isBetween(share.maxBytes() / 2, share.maxBytes() / 4 * 3);

    HttpResponse<String> answer = get("/short").get();

    assertThat(answer.body()).contains("short");
    assertThat(answer.statusCode()).isEqualTo(200);
    gate.countDown();
    assertThat(long1.get().body()).contains("long");
    assertThat(attempts).hasValue(2);
  }
}
