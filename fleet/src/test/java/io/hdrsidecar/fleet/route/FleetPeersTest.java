package io.hdrsidecar.fleet.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.route.RouteCounters.Failure;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.api.SharedSeries;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.query.NeededSeries;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that ask each other over real sockets; the truth is what HdrHistogram counts. */
@Timeout(120)
class FleetPeersTest {
  private static final long HIGHEST = 3_600_000_000_000L;

  @TempDir Path folder = Path.of("");
  private final List<AutoCloseable> open = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(11);

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private RoutedNode node(int partition) throws Exception {
    return kept(RoutedNode.of(partition));
  }

  private <T extends AutoCloseable> T kept(T closeable) {
    open.add(closeable);
    return closeable;
  }

  private RoutedNode impatient(int partition, AccessConfig access) throws Exception {
    return kept(
        new RoutedNode(
            partition,
            access,
            new RouteConfig(Duration.ofMillis(300), null, null),
            HeapBudget.of(256 << 20)));
  }

  private long[] values(int count) {
    return random.longs(count, 1_000, 2_000_000_000).map(v -> v >>> random.nextInt(15)).toArray();
  }

  private static String histogram(String selector) {
    return "/api/v1/histogram?format=v2&series=" + URLEncoder.encode(selector, UTF_8);
  }

  private static Histogram decoded(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Histogram.decodeFromCompressedByteBuffer(
        ByteBuffer.wrap(Base64.getMimeDecoder().decode(answer.body())), 0);
  }

  private static void assertUnavailable(RoutedNode asked, String... why) throws Exception {
    for (String path :
        List.of(
            histogram("latency"),
            "/api/v1/series",
            "/prometheus/api/v1/query?query=latency_seconds_count",
            "/prometheus/api/v1/labels")) {
      HttpResponse<String> answer = asked.get(path);
      assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(503);
      assertThat(answer.body()).contains(why).contains("\"errorType\":\"unavailable\"");
    }
  }

  @Test
  void query_seriesOnTwoNodes_isAnsweredAsByOneWithBoth() throws Exception {
    RoutedNode a = node(0);
    RoutedNode b = node(1);
    a.knows(b.address());
    b.knows(a.address());
    Histogram truth = new Histogram(1, HIGHEST, 3);
    for (int i = 0; i < 10; i++) {
      long[] values = values(500);
      (i % 2 == 0 ? a : b).count("latency", "/r" + i, 3, values);
      for (long value : values) {
        truth.recordValue(value);
      }
    }
    assertThat(decoded(a.get(histogram("latency")))).isEqualTo(truth);
    for (String path :
        List.of(
            histogram("latency"),
            histogram("latency{route=~\"/r[4567]\"}"),
            "/api/v1/histogram?series=latency&buckets=true",
            "/api/v1/histogram?series=latency&window=1m",
            "/api/v1/compare?a=latency&b=" + URLEncoder.encode("latency{route=\"/r1\"}", UTF_8),
            "/api/v1/series",
            "/prometheus/api/v1/labels",
            "/prometheus/api/v1/label/route/values",
            "/prometheus/api/v1/metadata",
            "/prometheus/api/v1/series?match[]=latency_seconds",
            "/prometheus/api/v1/query?time=4102444800&query=latency_seconds_count")) {
      HttpResponse<String> atA = a.get(path);
      assertThat(atA.statusCode()).as("%s: %s", path, atA.body()).isEqualTo(200);
      assertThat(b.get(path).body()).as(path).isEqualTo(atA.body());
    }
    assertThat(a.get("/prometheus/api/v1/label/route/values").body())
        .contains(
            "[\"/r0\",\"/r1\",\"/r2\",\"/r3\",\"/r4\",\"/r5\",\"/r6\",\"/r7\",\"/r8\",\"/r9\"]");
    assertThat(a.get("/api/v1/histogram?series=latency&window=1m").body())
        .contains("\"count\":" + truth.getTotalCount());
    assertThat(a.get("/api/v1/overview").body()).contains("\"total\":10");
    assertThat(a.get("/api/v1/sla?selector=latency&limit=50%25:1h").body())
        .contains("\"events\":" + truth.getTotalCount());
    assertThat(a.get("/metrics").body()).contains("/r0").doesNotContain("/r1");
  }

  @Test
  void query_layoutsOfSeveralDigits_keepsThemApart() throws Exception {
    RoutedNode a = node(0);
    RoutedNode b = node(1);
    a.knows(b.address());
    b.count("latency", "/x", 2, 123_456);
    b.count("latency", "/x", 4, 123_456);
    assertThat(a.get("/api/v1/histogram?series=latency&buckets=true").body())
        .contains("\"count\":2")
        .isEqualTo(onItsOwn(b).get("/api/v1/histogram?series=latency&buckets=true").body());
  }

  private static RoutedNode onItsOwn(RoutedNode node) {
    node.knows();
    node.has(0, 1);
    return node;
  }

  @Test
  void query_partitionIsRestored_isRefusedAndSaysHowFar() throws Exception {
    RoutedNode a = node(0);
    RoutedNode b = node(1);
    a.knows(b.address());
    b.has();
    b.isInTrouble("restoring 3 stores, 20 of 100 records are left");
    assertUnavailable(
        a,
        "1 of 2 partitions are on no node, whole (1): node " + b.address(),
        "restoring 3 stores, 20 of 100 records are left");
    assertThat(a.counters().failures(Failure.PARTITIONS))
        .isGreaterThanOrEqualTo(12); // three attempts each
    b.has(1);
    assertThat(a.get("/api/v1/series").statusCode()).isEqualTo(200);
  }

  @Test
  void query_aboutNoSeries_isAnsweredWhilePartitionsAreMissing() throws Exception {
    RoutedNode a = node(0);
    HttpResponse<String> answer = a.get("/prometheus/api/v1/query?time=1&query=1%2B1");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("\"result\":[1,\"2\"]");
    assertThat(a.counters().failures(Failure.PARTITIONS)).isZero();
  }

  @Test
  void query_partitionIsOnTwoNodes_isRefused() throws Exception {
    RoutedNode a = node(0);
    RoutedNode b = node(1);
    a.knows(b.address());
    b.has(0, 1);
    assertUnavailable(a, "partition 0 moves: this node and node " + b.address() + " have it");
  }

  @Test
  void query_nobodyElseIsKnown_isRefused() throws Exception {
    RoutedNode a = node(0);
    assertUnavailable(a, "1 of 2 partitions are on no node, whole (1)");
  }

  @Test
  void query_nodeIsGone_isRefusedAndNamesIt() throws Exception {
    RoutedNode a = node(0);
    RoutedNode b = RoutedNode.of(1);
    PeerAddress gone = b.address();
    b.close();
    a.knows(gone);
    assertUnavailable(a, "node " + gone + " cannot be asked");
    assertThat(a.counters().failures(Failure.UNREACHABLE))
        .isGreaterThanOrEqualTo(12); // three attempts each
  }

  @Test
  void query_nodeIsSilent_isRefusedAfterTheTimeout() throws Exception {
    RoutedNode a = impatient(0, AccessConfig.OPEN);
    a.knows(serving(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream())));
    assertUnavailable(a, "has not answered within 300 ms (node.peer-timeout)");
    assertThat(a.counters().failures(Failure.TIMEOUT)).isGreaterThanOrEqualTo(4);
  }

  @Test
  void query_nodeStopsInTheMidst_isRefused() throws Exception {
    RoutedNode a = impatient(0, AccessConfig.OPEN);
    a.knows(
        serving(
            socket -> {
              socket.getOutputStream().write(head(1 << 20));
              socket.getOutputStream().write(new byte[1000]);
              socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            }));
    assertUnavailable(a, "has not answered within 300 ms");
  }

  @Test
  void query_nodeSendsNonsense_isRefusedAndNamesIt() throws Exception {
    RoutedNode a = node(0);
    PeerAddress other =
        serving(
            socket -> {
              socket.getOutputStream().write(head(1000));
              socket.getOutputStream().write(new byte[1000]);
              socket.shutdownOutput();
              socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            });
    a.knows(other);
    assertUnavailable(a, "another node sent what cannot be read: node " + other);
    assertThat(a.counters().failures(Failure.MALFORMED)).isGreaterThanOrEqualTo(4);
  }

  @Test
  void query_nodeSendsWithoutEnd_isRefusedForWantOfMemory() throws Exception {
    RoutedNode a =
        kept(
            new RoutedNode(
                0,
                AccessConfig.OPEN,
                new RouteConfig(Duration.ofMinutes(1), null, null),
                HeapBudget.of(64 << 20)));
    a.knows(
        serving(
            socket -> {
              socket.getOutputStream().write(head(Integer.MAX_VALUE));
              while (true) {
                socket.getOutputStream().write(new byte[1 << 16]);
              }
            }));
    HttpResponse<String> answer = a.get(histogram("latency"));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
    assertThat(answer.body()).contains("takes more memory");
    assertThat(a.counters().failures(Failure.TOO_MUCH)).isPositive();
    a.has(0, 1);
    a.knows();
    assertThat(a.get("/api/v1/series").statusCode()).isEqualTo(200);
  }

  @Test
  void query_tokens_areShownToOthers() throws Exception {
    Path right = Files.writeString(folder.resolve("right"), "first\nsecond\n");
    Path wrong = Files.writeString(folder.resolve("wrong"), "other\n");
    RoutedNode a = impatient(0, new AccessConfig(null, right));
    RoutedNode b = impatient(1, new AccessConfig(null, right));
    RoutedNode c = impatient(1, new AccessConfig(null, wrong));
    b.count("latency", "/x", 3, 5_000);
    a.knows(b.address());
    assertThat(a.get("/api/v1/series", "first").body()).contains("/x");
    assertThat(b.post(SharedSeries.PATH, new byte[0]).statusCode()).isEqualTo(401);
    a.knows(c.address());
    HttpResponse<String> refused = a.get("/api/v1/series", "first");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("node " + c.address() + " answers 401");
    assertThat(a.counters().failures(Failure.REFUSED)).isGreaterThanOrEqualTo(1);
  }

  @Test
  void tell_damagedQueries_areRefused() throws Exception {
    RoutedNode a = node(0);
    byte[] question = PeerQuery.bytes(NeededSeries.NOTHING);
    assertThat(a.post(SharedSeries.PATH, question).statusCode()).isEqualTo(200);
    for (int seed = 0; seed < 200; seed++) {
      byte[] damaged = question.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      assertThat(a.post(SharedSeries.PATH, damaged).statusCode()).isIn(200, 400);
    }
    assertThat(a.post(SharedSeries.PATH, new byte[3]).statusCode()).isEqualTo(400);
  }

  private static byte[] head(int length) {
    return ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + length + "\r\n\r\n")
        .getBytes(UTF_8);
  }

  /** Something that answers. */
  private interface Server {
    void serve(Socket socket) throws IOException;
  }

  private PeerAddress serving(Server server) throws IOException {
    ServerSocket listening = kept(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    Thread thread = new Thread(() -> accept(listening, server), "hostile node");
    thread.setDaemon(true);
    thread.start();
    return new PeerAddress("127.0.0.1", listening.getLocalPort());
  }

  private void accept(ServerSocket listening, Server server) {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        Thread thread = new Thread(() -> serve(socket, server), "hostile answer");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        assertThat(listening.isClosed()).as("accept: %s", e).isTrue();
      }
    }
  }

  private static void serve(Socket socket, Server server) {
    try (socket) {
      server.serve(socket);
    } catch (IOException e) {
      assertThat(e).as("the node cuts the connection").isNotNull();
    }
  }
}
