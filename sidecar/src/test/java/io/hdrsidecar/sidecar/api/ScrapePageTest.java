package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.expose.Exposition;
import io.hdrsidecar.sidecar.expose.Recording;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ScrapePageTest {
  private static final int READERS = 3;

  /** So many make several pieces. */
  private static final int SERIES = 300;

  private final Vertx vertx = Vertx.vertx();
  private final SelfMetrics self = new SelfMetrics("1.2.3");
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());
  private final Exposition exposition =
      new Exposition(ExposeConfig.defaults(), store, self.registry());
  private final HeapShare share = HeapBudget.of(44L << 20).share(Use.SCRAPES);
  private final ScrapePages pages =
      new ScrapePages(vertx, exposition, new ImmediateWorker(), share, self.registry());
  private final List<HttpServerRequest> asked = new ArrayList<>();

  /** Has done what it is given before it returns, as when the event loop was held up meanwhile. */
  private static final class ImmediateWorker implements WorkerExecutor {
    @Override
    public <T> Future<T> executeBlocking(Callable<T> work, boolean ordered) {
      try {
        return Future.succeededFuture(work.call());
      } catch (Exception e) {
        return Future.failedFuture(e);
      }
    }

    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }
  }

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void begin_piecesThatAreThereAtOnce_sendsAllOfThemToEachReaderInOrder() throws Exception {
    for (int i = 0; i < SERIES; i++) {
      Labels labels = Labels.of("id", Integer.toString(i));
      Recording.record(
          store, Recording.definition("load", labels, Unit.NANOSECONDS, "Help."), 5_000_000);
    }
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(this::sendOnePageToAll)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
    HttpRequest scrape =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort())).build();
    HttpClient client = HttpClient.newHttpClient();

    List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      answers.add(client.sendAsync(scrape, BodyHandlers.ofByteArray()));
    }

    for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
      List<String> lines = lines(answer.get().body());
      assertThat(lines.get(0)).startsWith("# HELP ");
      assertThat(lines.stream().filter(line -> line.startsWith("load_seconds_count{")))
          .hasSize(SERIES)
          .doesNotHaveDuplicates();
    }
    assertThat(share.heldBytes()).isZero();
  }

  private void sendOnePageToAll(HttpServerRequest request) {
    asked.add(request);
    if (asked.size() == READERS) {
      HeapClaim claim = share.claim();
      claim.grow(ScrapePages.PAGE_BYTES);
      ScrapePage page = new ScrapePage(pages, exposition.format(null, true), claim);
      asked.forEach(reader -> page.add(new ScrapeReader(reader, page)));
      page.begin();
    }
  }

  private static List<String> lines(byte[] packed) throws IOException {
    try (GZIPInputStream page = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return new String(page.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
  }
}
