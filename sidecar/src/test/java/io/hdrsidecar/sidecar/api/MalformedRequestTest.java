package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.http.Failures;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that the fuzz test once found to be answered as if the sidecar had failed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MalformedRequestTest {
  private final RunningServer server = server();
  private final Logger log = Logger.getLogger(Failures.class.getName());
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final Handler watch =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          if (logged.getLevel().equals(Level.SEVERE)) {
            failures.add(logged.getMessage() + " " + logged.getThrown());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private static RunningServer server() {
    try {
      return new RunningServer(1 << 16);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void watchLog() {
    log.addHandler(watch);
  }

  @AfterEach
  void stop() throws Exception {
    log.removeHandler(watch);
    server.stop();
  }

  private String answerTo(String... lines) throws Exception {
    try (Socket socket = server.open()) {
      socket
          .getOutputStream()
          .write(String.join("\r\n", lines).getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void postIntervals_chunkWithoutItsEnd_isNoFailureOfTheSidecar() throws Exception {
    String answer =
        answerTo(
            "POST /api/v1/intervals?name=x HTTP/1.1",
            "Host: localhost",
            "Connection: close",
            "Transfer-Encoding: chunked",
            "",
            "3",
            "abcdef",
            "0",
            "",
            "");

    // Where the next request would begin cannot be told, so the connection may end without answer.
    assertThat(answer).doesNotContain("HTTP/1.1 5");
    assertThat(failures).isEmpty();
    assertThat(server.get("/-/healthy").statusCode()).isEqualTo(200);
    String page = "";
    while (!page.contains("hdr_sidecar_http_requests_aborted_total 1")) { // until the time-out
      page = server.get("/metrics").body();
    }
    assertThat(page).contains("hdr_sidecar_http_requests_active 1.0\n"); // that for the page
  }

  @Test
  void request_methodsThatNobodyKnows_shareOneSeries() throws Exception {
    for (int i = 0; i < 20; i++) {
      answerTo(
          "MADE-UP-" + i + " /metrics HTTP/1.1", "Host: localhost", "Connection: close", "", "");
    }

    String page = server.get("/metrics").body();
    assertThat(page)
        .contains("hdr_sidecar_http_requests_active 1.0\n")
        .containsOnlyOnce("hdr_sidecar_http_request_duration_seconds_count{")
        .containsPattern(
            "hdr_sidecar_http_request_duration_seconds_count\\{[^}]*method=\"other\"[^}]*} 20\n")
        .doesNotContain("MADE-UP");
  }
}
