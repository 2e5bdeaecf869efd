package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries that wait for a worker while whoever asked may go, over real sockets. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueryQueueTest {
  private static final String QUESTION = "/api/v1/histogram?series=nobody";
  private static final int WORKERS = 2;
  private static final int MAX_CONNECTIONS = 8;

  /** What each answer asks for the time, which it does not get before the gate is open. */
  private static final class GatedClock implements InstantSource {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Semaphore waiting = new Semaphore(0);
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public Instant instant() {
      asked.incrementAndGet();
      waiting.release();
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Instant.EPOCH.plus(Duration.ofDays(20_000));
    }
  }

  private final GatedClock clock = new GatedClock();
  private final RunningServer server;

  QueryQueueTest() throws Exception {
    HttpLimits limits =
        SettingRecords.of(HttpLimits.class, Map.of("http.max-connections", "" + MAX_CONNECTIONS));
    server =
        new RunningServer(
            new HttpConfig("127.0.0.1", 0, 1024, AccessConfig.OPEN, false, limits), clock);
  }

  @AfterEach
  void stop() throws Exception {
    clock.gate.countDown();
    server.stop();
  }

  private Socket ask() throws IOException {
    Socket socket = server.open();
    String request = "GET " + QUESTION + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Asks, goes, and waits until the server has noticed. */
  private void askAndGo() throws Exception {
    try (Socket socket = ask()) {
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).as("end of the connection").isEqualTo(-1);
    }
    assertThat(server.get("/-/healthy").statusCode()).isEqualTo(200);
  }

  private static String statusLine(Socket socket) throws IOException {
    return String.valueOf(
        new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
            .readLine());
  }

  @Test
  void query_ofWhoHasGone_isNotLookedAt() throws Exception {
    try (Socket first = ask();
        Socket second = ask()) {
      clock.waiting.acquire(WORKERS);
      for (int i = 0; i < 5; i++) {
        askAndGo();
      }
      clock.gate.countDown();

      assertThat(statusLine(first)).contains("404");
      assertThat(statusLine(second)).contains("404");
      assertThat(server.get(QUESTION).statusCode()).isEqualTo(404);
      assertThat(server.get(QUESTION).statusCode()).isEqualTo(404);
      assertThat(clock.asked).hasValue(4);
    }
  }

  @Test
  void queries_ofWhoHaveGone_areNotInTheWay() throws Exception {
    try (Socket first = ask();
        Socket second = ask()) {
      clock.waiting.acquire(WORKERS);
      for (int i = 0; i < 2 * MAX_CONNECTIONS; i++) {
        askAndGo();
      }
      try (Socket third = ask()) {
        clock.gate.countDown();
        assertThat(statusLine(third)).contains("404");
      }
      assertThat(statusLine(first)).contains("404");
      assertThat(statusLine(second)).contains("404");
    }
  }

  @Test
  void answers_ofAnyKind_areNotToBeTakenForPages() throws Exception {
    clock.gate.countDown();
    for (String path : new String[] {"/", "/api/v1/series", QUESTION, "/-/healthy", "/nothing"}) {
      assertThat(server.get(path).headers().allValues("X-Content-Type-Options"))
          .as(path)
          .containsExactly("nosniff");
    }
  }
}
