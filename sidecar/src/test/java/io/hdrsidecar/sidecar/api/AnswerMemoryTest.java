package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What answers hold of the heap while they are made and read, over real sockets. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AnswerMemoryTest {
  private static final Instant START = Instant.parse("2026-01-02T03:00:00Z");
  private static final int SECONDS = 1000;
  private static final String RANGE =
      "&start=" + START + "&end=" + START.plusSeconds(SECONDS) + "&step=1s";
  private static final String LARGE = "/api/v1/heatmap?series=load&buckets=490" + RANGE;
  private static final String SMALL = "/api/v1/percentiles?series=load" + RANGE;

  /** A share of 1.9 MiB for answers; a large one takes 1 MiB and more, as "0," is two bytes. */
  private final HeapBudget heap = HeapBudget.of(44L << 20);

  private final HeapShare share = heap.share(Use.QUERIES);
  private final RunningServer server;
  private final List<Socket> held = new ArrayList<>();

  AnswerMemoryTest() throws Exception {
    server = new RunningServer(new HttpConfig("127.0.0.1", 0, 1 << 20), heap);
    server.store.past().keepIn(new History(16 << 20));
    HttpResponse<String> answer = server.post("/api/v1/intervals?name=load", log(), "text/plain");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : held) {
      socket.close();
    }
    server.stop();
  }

  private static byte[] log() {
    SplittableRandom random = new SplittableRandom(7);
    StringBuilder log =
        new StringBuilder(
            "#[BaseTime: " + START.getEpochSecond() + ".000 (seconds since epoch)]\n");
    ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
    for (int second = 0; second < SECONDS; second++) {
      Histogram histogram = new Histogram(1, 1_000_000_000_000L, 3);
      for (int i = 0; i < 5; i++) {
        histogram.recordValue(random.nextLong(1_000_000_000));
      }
      int length = histogram.encodeIntoCompressedByteBuffer(bytes.clear());
      log.append(second).append(".000,1.000,0.001,");
      log.append(Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length)));
      log.append('\n');
    }
    return log.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Asks for more than a socket takes, and reads nothing of it. */
  private void hold(String question) throws IOException {
    Socket socket = new Socket();
    held.add(socket);
    socket.setReceiveBufferSize(2048);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    for (int i = 0; i < 8; i++) {
      ask(socket, question);
    }
  }

  private static void ask(Socket socket, String question) throws IOException {
    String request = "GET " + question + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private void awaitNothingHeld() throws InterruptedException {
    while (share.heldBytes() > 0) {
      Thread.sleep(10); // until the test times out
    }
  }

  private static long values(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonArray steps = new JsonObject(answer.body()).getJsonObject("data").getJsonArray("steps");
    long values = 0;
    for (int i = 0; i < steps.size(); i++) {
      for (Object count : steps.getJsonObject(i).getJsonArray("counts")) {
        values += ((Number) count).longValue();
      }
    }
    return values;
  }

  @Test
  void answer_long_comesWholeAndWithItsLength() throws Exception {
    HttpResponse<String> answer = server.get(LARGE);

    assertThat(values(answer)).isEqualTo(5L * SECONDS);
    assertThat(answer.headers().firstValueAsLong("content-length"))
        .hasValue(answer.body().length());
    assertThat(answer.body().length()).isGreaterThan(1_000_000);
    awaitNothingHeld();
    assertThat(share.mostHeldBytes()).isBetween(1_000_000L, share.maxBytes());
  }

  @Test
  void answers_oneNeedingWhatAnotherHolds_waitForEachOther() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      answers.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return server.get(LARGE);
                } catch (IOException | InterruptedException e) {
                  throw new AssertionError(e);
                }
              }));
    }
    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      assertThat(values(answer.get())).isEqualTo(5L * SECONDS);
    }
    awaitNothingHeld();
  }

  @Test
  void answer_neverToFit_isRefusedSayingWhatHelps() throws Exception {
    HttpResponse<String> refused =
        server.get(
            "/api/v1/heatmap?series=load&buckets=250000&step=1h" + RANGE.replace("&step=1s", ""));

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(422);
    assertThat(refused.body())
        .contains("\"execution\"", Long.toString(share.maxBytes()), "buckets", "-Xmx");
    awaitNothingHeld();
  }

  @Test
  void answers_thatNobodyReads_makeRoomForWhoReads() throws Exception {
    for (int i = 0; i < 20; i++) {
      hold(LARGE);
    }
    assertThat(server.get(SMALL).statusCode()).isEqualTo(200);
    HttpResponse<String> large = server.get(LARGE);
    while (large.statusCode() == 503) { // those who do not read come first, for a second each
      assertThat(large.headers().firstValue("retry-after")).hasValue("1");
      assertThat(large.body()).contains("\"unavailable\"", "ask again");
      large = server.get(LARGE);
    }
    assertThat(values(large)).isEqualTo(5L * SECONDS);
    assertThat(share.mostHeldBytes()).isLessThanOrEqualTo(share.maxBytes());
    Pattern someWereCut = Pattern.compile("connections_closed_total\\{reason=\"too_slow\"} [1-9]");
    while (!someWereCut.matcher(server.get("/metrics").body()).find()) {
      Thread.sleep(100); // until the test times out
    }
    awaitNothingHeld();
  }

  @Test
  void answers_ofThoseWhoGoAtAnyMoment_leaveNothingHeld() throws Exception {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 200; i++) {
      try (Socket socket = server.open()) {
        ask(socket, i % 3 == 0 ? LARGE : i % 3 == 1 ? SMALL : "/api/v1/live?series=load&buckets=9");
        int bytes = random.nextInt(40_000);
        if (random.nextBoolean()) {
          socket.getInputStream().readNBytes(i % 3 == 2 ? 10 : bytes);
        }
      }
    }
    awaitNothingHeld();
    assertThat(values(server.get(LARGE))).isEqualTo(5L * SECONDS);
    awaitNothingHeld();
  }

  @Test
  void answer_toHead_saysItsLengthAndHoldsNothing() throws Exception {
    HttpResponse<String> head =
        server.text(server.request(LARGE).method("HEAD", BodyPublishers.noBody()));

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValueAsLong("content-length"))
        .hasValue(server.get(LARGE).body().length());
    awaitNothingHeld();
  }
}
