package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Sidecar;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Raw bytes to the HTTP port: every answer is one that is meant, none shows the inside of the
 * sidecar, and the next asker is served.
 */
final class HttpFuzzIT {
  private static final int CONNECTIONS = 8;

  /** For how long an unfinished request is waited on, of all connections together. */
  private static final int SILENCE_MILLIS = 200;

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3}) ");
  private static final Pattern INSIDE =
      Pattern.compile(
          "\\n?\\tat |\\.java:\\d|(java|io\\.netty|io\\.vertx|io\\.hdrsidecar)(\\.\\w+)+");
  private static final Path LOG =
      Path.of("../client-lib/format/src/test/resources/hlog/tagged-Log.logV2.hlog");
  private static final String LAST =
      "GET /-/healthy HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  private static final List<String> WORDS =
      List.of(
          "\r\n",
          "\r\n\r\n",
          "\n",
          " ",
          "%",
          "%2",
          "%00",
          "%2e%2e/",
          "%ff",
          "%c0%af",
          "+",
          "&",
          "=",
          "?",
          "#",
          "//",
          "/../",
          ";",
          "{",
          "}",
          "\"",
          "GET ",
          "POST ",
          "TRACE ",
          "CONNECT ",
          "HTTP/1.0",
          "HTTP/2.0",
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
          "Transfer-Encoding: chunked\r\n",
          "Content-Length: 5\r\n",
          "Content-Length: -1\r\n",
          "Content-Length: 99999999999999999999\r\n",
          "Transfer-Encoding: gzip\r\n",
          "Expect: 100-continue\r\n",
          "Expect: x\r\n",
          "Upgrade: websocket\r\nConnection: Upgrade\r\n",
          "Upgrade: h2c\r\n",
          "Accept: \u00e4;q=x\r\n",
          "Accept-Encoding: gzip;q=9\r\n",
          "Authorization: Bearer \r\n",
          "0\r\n\r\n",
          "ffffffffffffffff\r\n",
          "series=",
          "window=",
          "percentiles=50,,x",
          "format=hgrm",
          "name=",
          "label.",
          "\u0000",
          "\u00ff",
          "http://other/",
          "*");

  private final Mutator mutator =
      new Mutator(WORDS.stream().map(w -> w.getBytes(StandardCharsets.ISO_8859_1)).toList());
  private final List<byte[]> requests = requests();
  private final LogCapture log = new LogCapture();
  private final Sidecar sidecar = start();

  private static Sidecar start() {
    try {
      return Sidecar.start(SmallSidecar.config("--http-max-body", "64KiB", "--reload", "true"));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static List<byte[]> requests() {
    String body;
    try {
      body = Files.readString(LOG, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    String chunk = Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
    List<String> texts =
        List.of(
            get("/metrics", "Accept: application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1"),
            get(
                "/metrics",
                "Accept: application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                    + "encoding=delimited"),
            get("/api/v1/series?series=uploaded%7Btag%3D%22A%22%7D", "Accept-Encoding: gzip"),
            get(
                "/api/v1/histogram?series=uploaded&window=total&percentiles=50,99.9&buckets=true",
                ""),
            get("/api/v1/histogram?series=%7Btag%3D~%22A%7CB%22%7D&format=hgrm&window=5s", ""),
            get("/api/v1/status", "Cookie: a=b") + get("/-/ready", "") + get("/nothing", ""),
            "POST /api/v1/intervals?name=uploaded&label.route=%2Fpay&unit=ms HTTP/1.1\r\n"
                + "Host: localhost\r\n"
                + "Content-Type: text/plain; charset=utf-8\r\n"
                + "Content-Length: "
                + body.length()
                + "\r\n\r\n"
                + body,
            "POST /api/v1/intervals?name=uploaded HTTP/1.1\r\n"
                + "Host: localhost\r\n"
                + "Expect: 100-continue\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + chunk,
            "POST /-/reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            "HEAD /metrics HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http://x:80/api/v1/series HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\n\r\n");
    return texts.stream().map(text -> text.getBytes(StandardCharsets.ISO_8859_1)).toList();
  }

  private static String get(String target, String header) {
    return "GET "
        + target
        + " HTTP/1.1\r\nHost: localhost\r\n"
        + (header.isEmpty() ? "" : header + "\r\n")
        + "\r\n";
  }

  @AfterEach
  void stop() {
    sidecar.close();
    log.close();
  }

  @Test
  void request_damagedBytes_areAnsweredAsMeantAndTheServerLivesOn() {
    Fuzz.run("http", this::feed);
  }

  private void feed(SplittableRandom random, Fuzz.Tally tally) throws Exception {
    List<Socket> sockets = new ArrayList<>();
    List<byte[]> sent = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      byte[] good = requests.get(random.nextInt(requests.size()));
      byte[] bytes = random.nextInt(10) == 0 ? good : mutator.damaged(good, random);
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), sidecar.httpAddress().getPort());
      sockets.add(socket);
      sent.add(bytes);
      write(socket, bytes);
    }
    long silentAt = System.nanoTime() + SILENCE_MILLIS * 1_000_000L;
    for (int i = 0; i < CONNECTIONS; i++) {
      try (Socket socket = sockets.get(i)) {
        check(sent.get(i), read(socket, silentAt), tally);
      }
    }
    assertThat(log.errors()).isEmpty();
    assertServed();
  }

  /** The server may have refused, and closed, before all is written. */
  private static void write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().write(LAST.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException closed) {
      // What it answered is still to be read, or lost with the reset.
    }
  }

  /**
   * Up to the end, or to silence: of a request that is not whole, the server waits for the rest.
   */
  private static String read(Socket socket, long silentAt) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    try {
      InputStream in = socket.getInputStream();
      while (true) {
        long leftMillis = (silentAt - System.nanoTime()) / 1_000_000;
        socket.setSoTimeout((int) Math.max(1, leftMillis));
        int count = in.read(buffer);
        if (count < 0) {
          break;
        }
        answer.write(buffer, 0, count);
      }
    } catch (SocketTimeoutException silence) {
      // Taken as the end.
    } catch (IOException reset) {
      // Closed with bytes of ours unread.
    }
    return answer.toString(StandardCharsets.ISO_8859_1);
  }

  private static void check(byte[] sent, String answer, Fuzz.Tally tally) {
    String asked = new String(sent, StandardCharsets.ISO_8859_1);
    List<Integer> statuses = STATUS.matcher(answer).results().map(HttpFuzzIT::status).toList();
    assertThat(statuses).as(asked).allMatch(HttpFuzzIT::isMeant);
    assertThat(INSIDE.matcher(answer.replace(asked, "")).find())
        .as("%s%n%s", asked, answer)
        .isFalse();
    tally.add(!statuses.isEmpty() && statuses.stream().allMatch(status -> status < 400));
  }

  /** 503 is the sidecar's, 501 Vert.x' for a version of HTTP that is none. */
  private static boolean isMeant(int status) {
    return status < 500 || status == 503 || status == 501;
  }

  private static int status(MatchResult found) {
    return Integer.parseInt(found.group(1));
  }

  private void assertServed() throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), sidecar.httpAddress().getPort())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(LAST.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 200 OK");
    }
  }
}
