package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.history.PastSource;
import io.hdrsidecar.sidecar.history.RecordRanges;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that take little, beside more that take long than there are workers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LongQueriesTest {
  private static final int INTERVALS = 50_000;
  private static final int HEAVY = 5;
  private static final int MAX_CONNECTIONS = 8;
  private static final String REQUEST_TIMEOUT = "10s";
  private static final String PANEL =
      "/prometheus/api/v1/query_range?query=sum(rate(slow%5B10s%5D))&start=0&end=50&step=10";
  private static final String LATER =
      "/prometheus/api/v1/query_range?query=sum(rate(slow%5B10s%5D))&start=13&end=50&step=10";

  /**
   * Its first window, and five minutes before, in which a series may have ended. The panel above
   * has none that begins there.
   */
  private static final long LATER_FROM = -297_000;

  private static final String HISTOGRAM = "/api/v1/histogram?series=slow&start=0&end=50000";

  /** Has intervals of a millisecond, each of which takes one to read until the gate is open. */
  private static final class SlowPast implements PastSource, PastReading {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Semaphore opened = new Semaphore(0);
    private final AtomicInteger openedLater = new AtomicInteger();

    /** One of these. */
    private record Slow(CountDownLatch gate, long startMillis) implements PastInterval {
      @Override
      public long endMillis() {
        return startMillis + 1;
      }

      @Override
      public void addTo(IntervalSum sum) {
        try {
          gate.await(1, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public String name() {
      return "journal";
    }

    @Override
    public boolean isLive() {
      return true;
    }

    @Override
    public HistoryExtent extent() {
      return new HistoryExtent(0, INTERVALS);
    }

    @Override
    public PastReading open(long fromMillis, long toMillis) {
      opened.release();
      openedLater.addAndGet(fromMillis == LATER_FROM ? 1 : 0);
      return this;
    }

    @Override
    public List<PastSeries> series() {
      SeriesKey key = new SeriesKey("slow", Labels.of(Map.of()));
      return List.of(new PastSeries(key, Unit.NONE, "", 0, INTERVALS));
    }

    @Override
    public boolean hasAll(long firstRecord, long lastRecord) {
      return true;
    }

    @Override
    public List<PastInterval> intervals(
        PastSeries series, Map<BucketLayout, RecordRanges> except, int limit) {
      List<PastInterval> intervals = new ArrayList<>();
      for (int i = 0; i < INTERVALS; i++) {
        intervals.add(new Slow(gate, i));
      }
      return intervals;
    }

    @Override
    public List<String> warnings() {
      return List.of();
    }

    @Override
    public void close() {}
  }

  private final SlowPast past = new SlowPast();
  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger clockAsked = new AtomicInteger();
  private final HttpLimits limits =
      SettingRecords.of(
          HttpLimits.class,
          Map.of("http.max-connections", "8", "http.request-timeout", REQUEST_TIMEOUT));
  private final RunningServer server =
      new RunningServer(
          new HttpConfig("127.0.0.1", 0, 1024, AccessConfig.OPEN, false, limits), this::now);

  LongQueriesTest() throws Exception {
    server.store.past().readFrom(past);
  }

  private Instant now() {
    clockAsked.incrementAndGet();
    return Instant.now();
  }

  @AfterEach
  void stop() throws Exception {
    past.gate.countDown();
    server.stop();
  }

  @ParameterizedTest
  @ValueSource(strings = {PANEL, HISTOGRAM})
  void little_isAnsweredBeforeWhatTakesLong(String heavy) throws Exception {
    List<CompletableFuture<HttpResponse<String>>> asked = ask(heavy, HEAVY);
    past.opened.acquire(2); // All workers have one.

    assertThat(server.get("/prometheus/api/v1/query?query=1%2B1").body()).contains("\"2\"");
    assertThat(server.get("/api/v1/series").statusCode()).isEqualTo(200);

    assertThat(asked).noneMatch(CompletableFuture::isDone);
    past.gate.countDown();
    for (CompletableFuture<HttpResponse<String>> each : asked) {
      assertThat(each.get().statusCode()).as(each.get().body()).isEqualTo(200);
    }
  }

  @Test
  void whatTakesLong_isAskedOnceMoreAndNoMoreThanThat() throws Exception {
    CompletableFuture<HttpResponse<String>> asked =
        client.sendAsync(server.request(PANEL).build(), BodyHandlers.ofString());
    past.opened.acquire(2); // Each time once.
    past.gate.countDown();

    assertThat(asked.get().statusCode()).isEqualTo(200);
    assertThat(past.opened.availablePermits()).isZero();
    assertThat(clockAsked).as("both times are about the same now").hasValue(1);
  }

  private List<CompletableFuture<HttpResponse<String>>> ask(String question, int times) {
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      asked.add(client.sendAsync(server.request(question).build(), BodyHandlers.ofString()));
    }
    return asked;
  }

  private static void assertTimedOut(HttpResponse<String> answer, String limit) {
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(new JsonObject(answer.body()).getString("errorType")).isEqualTo("timeout");
    assertThat(new JsonObject(answer.body()).getString("error"))
        .startsWith("query timed out in ")
        .contains(limit)
        .contains("shorter range");
  }

  @Test
  void whatTakesTooLong_orWaitsForThat_isToldSoBeforeItsConnectionIsCut() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> asked = ask(PANEL, 3);
    asked.addAll(ask(HISTOGRAM, 3));
    for (CompletableFuture<HttpResponse<String>> each : asked) {
      assertTimedOut(each.get(), "9.0 s, which is nine tenths of http.request-timeout");
    }
  }

  @Test
  void whatWaits_isToldAfterItsTimeout() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> others = ask(PANEL, HEAVY - 1);
    past.opened.acquire(HEAVY - 1);

    HttpResponse<String> answer = server.get(PANEL + "&timeout=1500ms");

    assertTimedOut(answer, "there was no answer within 1.5 s");
    assertThat(answer.body()).contains("the parameter timeout");
    assertThat(others).noneMatch(CompletableFuture::isDone);
    past.gate.countDown();
    for (CompletableFuture<HttpResponse<String>> each : others) {
      assertThat(each.get().statusCode()).as(each.get().body()).isEqualTo(200);
    }
  }

  private Socket askThere(String question) throws IOException {
    Socket socket = server.open();
    String request = "GET " + question + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static void leave(Socket socket) throws IOException {
    socket.shutdownOutput();
    assertThat(socket.getInputStream().read()).as("end of the connection").isEqualTo(-1);
    socket.close();
  }

  private static String statusLine(Socket socket) throws IOException {
    InputStreamReader reader =
        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII);
    return String.valueOf(new BufferedReader(reader).readLine());
  }

  @Test
  void whatTakesLong_ofWhoHasGone_isNotInTheWayOfOthers() throws Exception {
    List<Socket> asked = new ArrayList<>();
    asked.add(askThere(PANEL));
    asked.add(askThere(PANEL));
    past.opened.acquire(4); // Each for the second time, on the workers of what takes long.
    while (asked.size() < MAX_CONNECTIONS - 1) {
      asked.add(askThere(LATER));
    }
    past.opened.acquire(MAX_CONNECTIONS - 1 - 2);
    for (Socket gone : asked.subList(2, asked.size())) {
      leave(gone);
    }
    assertThat(server.get("/-/healthy").statusCode()).isEqualTo(200);
    int opened = past.openedLater.get();
    assertThat(opened).isPositive();

    for (int i = 2; i < asked.size(); i++) {
      asked.set(i, askThere(PANEL));
    }
    past.gate.countDown();

    for (Socket each : asked) {
      assertThat(statusLine(each)).contains("200");
      each.close();
    }
    assertThat(past.openedLater).as("for who has gone").hasValue(opened);
  }
}
