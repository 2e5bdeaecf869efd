package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RawClient;
import io.hdrsidecar.tests.support.RawHttp;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Everybody who asks a sidecar in a small heap asks for much at once and reads nothing: large heat
 * maps, live streams, headers that never end.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class AnswersFloodIT {
  private static final List<String> HOST = List.of("Host: localhost");
  private static final BucketLayout LAYOUT = BucketLayout.of(1000, 2);
  private static final long HIGHEST = Duration.ofHours(1).toNanos();
  private static final int SECONDS = 3000;
  private static final int PER_UPLOAD = 500;
  private static final int ROUNDS = 100;
  private static final int PROBE_MILLIS = 10_000;

  @RegisterExtension final Processes processes = new Processes();
  private final Instant start = Instant.now().minusSeconds(SECONDS).truncatedTo(ChronoUnit.SECONDS);
  private final String heatMap =
      "/api/v1/heatmap?series=load&step=1s&buckets=160&start="
          + start.getEpochSecond()
          + "&end="
          + (start.getEpochSecond() + SECONDS);
  private final List<Socket> held = new ArrayList<>();

  @AfterEach
  void letGo() throws IOException {
    for (Socket socket : held) {
      socket.close();
    }
  }

  private void fill(SidecarProcess sidecar) throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
    for (int from = 0; from < SECONDS; from += PER_UPLOAD) {
      StringBuilder log = new StringBuilder();
      log.append("#[BaseTime: ").append(start.getEpochSecond()).append(".000 (seconds)]\n");
      for (int second = from; second < from + PER_UPLOAD; second++) {
        Histogram histogram = new Histogram(1, HIGHEST, 3);
        for (int i = 0; i < 10; i++) {
          histogram.recordValue(random.nextLong(1_000_000_000));
        }
        int length = histogram.encodeIntoCompressedByteBuffer(bytes.clear());
        log.append(second).append(".000,1.000,1.0,");
        log.append(Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length)));
        log.append('\n');
      }
      List<String> headers = List.of("Host: localhost", "Content-Type: text/plain");
      String answer =
          RawHttp.exchange(
              sidecar.httpPort(), "POST /api/v1/intervals?name=load", headers, log.toString());
      assertThat(RawHttp.status(answer)).as(answer).isEqualTo(200);
    }
  }

  /** A connection that sends this and reads nothing. */
  private void hold(SidecarProcess sidecar, String sent) throws IOException {
    Socket socket = new Socket();
    held.add(socket);
    socket.setReceiveBufferSize(2048);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), sidecar.httpPort()));
    try {
      socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
    } catch (SocketException e) {
      assertThat(e).hasMessageMatching("Broken pipe.*|Connection reset.*"); // cut off meanwhile
    }
  }

  private void assertHealthy(SidecarProcess sidecar) throws IOException {
    for (String path : List.of("/-/healthy", "/-/ready")) {
      try (Socket socket = RawHttp.connect(sidecar.httpPort())) {
        socket.setSoTimeout(PROBE_MILLIS);
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        String status =
            new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        assertThat(status).as(path + sidecar.output()).isEqualTo("HTTP/1.1 200");
      }
    }
  }

  private static String get(String path, String more) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
  }

  private void flood(SidecarProcess sidecar, int round) throws IOException {
    if (round < 64) {
      hold(sidecar, get(heatMap, "").repeat(8)); // a socket takes the first of them
    }
    hold(sidecar, "GET / HTTP/1.1\r\n" + "a:\r\n".repeat(4000));
    hold(sidecar, "GET / HTTP/1.1\r\n" + "a:\r\n".repeat(800));
    String lastId = "Last-Event-ID: " + start.toEpochMilli() + "\r\n";
    hold(sidecar, get("/api/v1/live?series=load&buckets=500", lastId));
  }

  /** Queries that were there before may still take turns with it. */
  private void awaitAnswer(SidecarProcess sidecar) throws Exception {
    String answer;
    do {
      Thread.sleep(100); // until the test times out
      answer = RawHttp.exchange(sidecar.httpPort(), "GET " + heatMap, HOST, "");
    } while (RawHttp.status(answer) == 503);
    assertThat(RawHttp.status(answer)).as(answer).isEqualTo(200);
  }

  private void awaitNothingHeld(SidecarProcess sidecar) throws Exception {
    Pattern none = Pattern.compile("heap_share_held_bytes\\{use=\"queries\"} 0\\.0");
    while (!none.matcher(sidecar.metrics()).find()) {
      Thread.sleep(100); // until the test times out
    }
  }

  @Test
  void queries_ofManyWhoDoNotRead_takeNoMoreThanThereIsAndNothingFromOthers() throws Exception {
    SidecarProcess sidecar =
        processes.sidecarInJvm(List.of("-Xmx64m"), List.of("--self-hiccups=off"));
    fill(sidecar);
    Accumulation counted = new Accumulation(LAYOUT);
    counted.counts().add(LAYOUT.indexOf(5_000_000), 1);
    counted.sum().add(5_000_000);
    counted.widen(5_000_000, 5_000_000);
    SeriesKey key = new SeriesKey("honest", Labels.empty());
    try (RawClient sender = new RawClient(sidecar.ingestAddress())) {
      sender.declare(1, new SeriesDefinition(key, Unit.NANOSECONDS, "", LAYOUT, HIGHEST));
      for (int round = 0; round < ROUNDS; round++) {
        flood(sidecar, round);
        sender.send(1, counted, HIGHEST);
        sender.awaitSettled();
        if (round % 10 == 9) {
          assertHealthy(sidecar);
          assertThat(sidecar.metrics()).contains("honest_seconds_count " + (round + 1) + "\n");
        }
      }
    }
    letGo();
    awaitAnswer(sidecar);
    awaitNothingHeld(sidecar);
    assertThat(sidecar.output()).doesNotContain("OutOfMemoryError", "out_of_memory");
  }
}
