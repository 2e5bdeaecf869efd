package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What connections and headers hold of the heap, over real sockets. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ConnectionMemoryTest {
  private static final String END = "Host: localhost\r\nConnection: close\r\n\r\n";

  /** As many headers as 16 KiB hold, which take 25 times as much on the heap. */
  private static final String MANY_HEADERS = "a:\r\n".repeat(4000);

  /** A share of 1.8 MB, as with -Xmx48m. */
  private final HeapBudget heap = HeapBudget.of(48L << 20);

  private final HeapShare share = heap.share(Use.HTTP);
  private final RunningServer server =
      new RunningServer(new HttpConfig("127.0.0.1", 0, 1 << 20), heap);
  private final List<Socket> held = new ArrayList<>();

  ConnectionMemoryTest() throws Exception {}

  @AfterEach
  void stop() throws Exception {
    letGo();
    server.stop();
  }

  private void letGo() throws IOException {
    for (Socket socket : held) {
      socket.close();
    }
  }

  private Socket hold(String begun) throws IOException {
    Socket socket = server.open();
    held.add(socket);
    try {
      socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
    } catch (SocketException e) {
      assertThat(e).hasMessageMatching("Broken pipe|Connection reset.*"); // refused meanwhile
    }
    return socket;
  }

  /** The whole answer to one request on a connection of its own. */
  private String ask(String path, String headers) throws IOException {
    try (Socket socket = server.open()) {
      String request = "GET " + path + " HTTP/1.1\r\n" + headers + END;
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private void awaitNothingHeld() throws Exception {
    while (share.heldBytes() > 0) {
      Thread.sleep(10); // until the test times out
    }
  }

  @Test
  void headers_ofManyThatNeverEnd_stayWithinTheShareAndKeepNobodyOut() throws Exception {
    for (int i = 0; i < 300; i++) {
      hold("GET / HTTP/1.1\r\n" + MANY_HEADERS.substring(0, 3500));
      if (i % 10 == 0) {
        assertThat(ask("/-/healthy", "")).startsWith("HTTP/1.1 200");
        assertThat(ask("/metrics", "")).startsWith("HTTP/1.1 200");
      }
    }
    assertThat(share.mostHeldBytes()).isBetween(share.maxBytes() / 2, share.maxBytes());
    letGo();
    awaitNothingHeld();
  }

  @Test
  void headers_moreThanOneConnectionMayHave_areRefused() throws Exception {
    try (Socket socket = hold("GET / HTTP/1.1\r\n" + MANY_HEADERS)) {
      String answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      assertThat(answer).isEqualTo("HTTP/1.1 431");
    }
    awaitNothingHeld();
  }

  @Test
  void headers_asProxiesAndBrowsersSendThem_areTaken() throws Exception {
    String headers = "X-Forwarded: 10.0.0.1\r\n".repeat(60) + "Cookie: " + "c".repeat(12_000);

    assertThat(ask("/api/v1/series", headers + "\r\n")).startsWith("HTTP/1.1 200");
    awaitNothingHeld();
  }

  @Test
  void requests_thousandsBeforeTheirAnswers_areReadAsTheyAreAnswered() throws Exception {
    String one = "GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n";
    int requests = 5000;
    try (Socket socket = server.open()) {
      Thread sender =
          new Thread(
              () -> {
                try {
                  byte[] all =
                      (one.repeat(requests - 1) + one.replace("Host", "Connection: close\r\nHost"))
                          .getBytes(StandardCharsets.US_ASCII);
                  socket.getOutputStream().write(all);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      sender.start();
      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      sender.join();
      assertThat(answers.split("hdr-sidecar is healthy", -1)).hasSize(requests + 1);
    }
    assertThat(share.mostHeldBytes()).isLessThan(100_000);
    awaitNothingHeld();
  }

  @Test
  void body_longerThanAPiece_isTakenWhole() throws Exception {
    byte[] log = RunningServer.fixture("jHiccup-2.0.7S.logV2.hlog");
    assertThat(server.post("/api/v1/intervals?name=a", log, "text/plain").statusCode())
        .isEqualTo(200);
  }

  @Test
  void connections_thatEndAtAnyMoment_leaveNothingHeld() throws Exception {
    SplittableRandom random = new SplittableRandom(3);
    String whole = "GET /api/v1/series HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (int i = 0; i < 400; i++) {
      String sent = whole.repeat(3) + "POST /api/v1/intervals HTTP/1.1\r\nContent-Length: 9\r\n";
      try (Socket socket = hold(sent.substring(0, random.nextInt(sent.length())))) {
        InputStream in = socket.getInputStream();
        in.readNBytes(Math.min(in.available(), random.nextInt(500)));
      }
    }
    awaitNothingHeld();
    assertThat(ask("/-/ready", "")).startsWith("HTTP/1.1 200");
  }

  @Test
  void metrics_askedByHttp10OrHead_areAnsweredAsTheseMustBe() throws Exception {
    try (Socket socket = hold("GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n")) {
      String page = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      String head = page.substring(0, page.indexOf("\r\n\r\n"));
      assertThat(head).contains("200 OK").doesNotContainIgnoringCase("transfer-encoding");
      assertThat(page).contains("\r\n\r\n# HELP ").endsWith("\n").doesNotContain("\r\n0\r\n");
    }
    try (Socket socket = hold("HEAD /metrics HTTP/1.1\r\n" + END)) {
      String head = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(head).contains("200 OK").doesNotContainIgnoringCase("content-length: 0");
      assertThat(head).endsWith("\r\n\r\n");
    }
  }

  @Test
  void forms_manyOnOneConnection_areAllAnswered() throws Exception {
    String request =
        "POST /prometheus/api/v1/query HTTP/1.1\r\nHost: localhost\r\nCookie: "
            + "c".repeat(4000)
            + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\n"
            + "query=1%2B1";
    try (Socket socket = server.open()) {
      InputStream in = socket.getInputStream();
      for (int i = 0; i < 100; i++) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        assertThat(answer(in)).as("answer %d", i).contains("\"2\"");
      }
    }
    awaitNothingHeld();
  }

  /** Head and body of one answer of several. */
  private static String answer(InputStream in) throws IOException {
    StringBuilder answer = new StringBuilder();
    int read = in.read();
    for (; read >= 0 && !answer.toString().endsWith("\r\n\r\n"); read = in.read()) {
      answer.append((char) read);
    }
    Matcher length = Pattern.compile("(?i)content-length: (\\d+)").matcher(answer);
    if (length.find()) {
      byte[] rest = in.readNBytes(Integer.parseInt(length.group(1)) - 1);
      answer.append((char) read).append(new String(rest, StandardCharsets.US_ASCII));
    }
    return answer.toString();
  }
}
