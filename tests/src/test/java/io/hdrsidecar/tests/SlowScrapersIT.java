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
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many scrapes of 10,000 series with a heap of 128 MiB, of whom some do not read. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class SlowScrapersIT {
  private static final int SERIES = 10_000;

  /** As many as client-lib has unless its limit is raised. */
  private static final int OF_A_CLIENT = 1_000;

  private static final BucketLayout LAYOUT = BucketLayout.of(1000, 2);
  private static final long HIGHEST = Duration.ofHours(1).toNanos();

  @RegisterExtension final Processes processes = new Processes();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Socket> held = new ArrayList<>();

  @AfterEach
  void letGo() throws IOException {
    for (Socket socket : held) {
      socket.close();
    }
  }

  private SidecarProcess loaded() throws Exception {
    SidecarProcess sidecar =
        processes.sidecarInJvm(List.of("-Xmx128m"), List.of("--self-hiccups=off"));
    Accumulation counted = new Accumulation(LAYOUT);
    counted.counts().add(LAYOUT.indexOf(5_000_000), 1);
    counted.sum().add(5_000_000);
    counted.widen(5_000_000, 5_000_000);
    for (int first = 0; first < SERIES; first += OF_A_CLIENT) {
      try (RawClient sender = new RawClient(sidecar.ingestAddress())) {
        for (int id = 1; id <= OF_A_CLIENT; id++) {
          SeriesKey key = new SeriesKey("load", Labels.of("id", Integer.toString(first + id)));
          sender.declare(id, new SeriesDefinition(key, Unit.NANOSECONDS, "", LAYOUT, HIGHEST));
          sender.send(id, counted, HIGHEST);
        }
        sender.awaitSettled();
      }
    }
    return sidecar;
  }

  /** Asks for the page, plain, and reads nothing of it. */
  private void holdPage(SidecarProcess sidecar) throws IOException {
    Socket socket = new Socket();
    held.add(socket);
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), sidecar.httpPort()));
    socket
        .getOutputStream()
        .write(
            "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  private HttpRequest scrape(SidecarProcess sidecar) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + sidecar.httpPort() + "/metrics"))
        .header("Accept-Encoding", "gzip")
        .timeout(Duration.ofMinutes(2))
        .build();
  }

  private static void assertWhole(HttpResponse<byte[]> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    try (BufferedReader page =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(new ByteArrayInputStream(answer.body())),
                StandardCharsets.US_ASCII))) {
      List<String> counts =
          page.lines().filter(line -> line.startsWith("load_seconds_count{")).toList();
      assertThat(counts).hasSizeGreaterThan(1000).doesNotHaveDuplicates();
      // Whatever the heap had no room for is in the series of the overflow.
      assertThat(counts.stream().mapToLong(line -> Long.parseLong(line.split("} ", 2)[1])).sum())
          .isEqualTo(SERIES);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void scrapes_besideFortyReadersThatDoNotRead_areAnsweredWhole() throws Exception {
    SidecarProcess sidecar = loaded();
    for (int i = 0; i < 20; i++) {
      holdPage(sidecar);
      holdPage(sidecar);
      assertWhole(client.send(scrape(sidecar), BodyHandlers.ofByteArray()));
    }
    assertThat(sidecar.output()).doesNotContain("OutOfMemoryError");
  }

  @Test
  void scrapes_ofOneMoment_costNextToNothingMoreThanOne() throws Exception {
    SidecarProcess sidecar = loaded();
    assertWhole(client.send(scrape(sidecar), BodyHandlers.ofByteArray()));
    List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      answers.add(client.sendAsync(scrape(sidecar), BodyHandlers.ofByteArray()));
    }
    for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
      assertWhole(answer.get());
    }
    String page = sidecar.metrics();
    String written =
        page.replaceAll("(?s).*\nhdr_sidecar_scrape_duration_seconds_count (\\d+).*", "$1");
    System.out.printf("scrapes: asked=102 pages written=%s%n", written);
    assertThat(Integer.parseInt(written)).isLessThan(50);
    assertThat(sidecar.output()).doesNotContain("OutOfMemoryError");
  }
}
