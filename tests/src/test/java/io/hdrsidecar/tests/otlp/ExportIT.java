package io.hdrsidecar.tests.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusApi;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real sidecar pushes to a real Prometheus by OTLP or by remote write: what was recorded is what
 * it has, also when it is away in the meantime, or says that it has no time. Values are held
 * against their sorted list.
 */
@RequiresPrograms("prometheus")
final class ExportIT {
  private static final int VALUES = 5_000;
  private static final String METRIC =
      "checkout_seconds{job=\"shop\",instance=\"pod-1\",route=\"/pay\"}";
  private static final String TARGET =
      "target_info{job=\"shop\",instance=\"pod-1\",k8s_pod_name=\"shop-1\"}";
  private static final String TRACE = "5b8efff798038103d269b633813fc60c";
  private static final Pattern READY = Pattern.compile("Server is ready to receive web requests");

  @RegisterExtension final Processes processes = new Processes();

  @TempDir Path folder = Path.of("set by JUnit");

  private final SplittableRandom random = new SplittableRandom(21);
  private final List<Long> recorded = new ArrayList<>();
  private ReservedPort port;
  private PrometheusApi prometheus;

  @BeforeEach
  void reserve() throws IOException {
    port = new ReservedPort();
    prometheus = new PrometheusApi("127.0.0.1:" + port.number());
  }

  @AfterEach
  void release() throws IOException {
    port.close();
  }

  private JavaProcess startPrometheus(String... more) throws Exception {
    Path config = Files.writeString(folder.resolve("prometheus.yml"), "global: {}\n");
    List<String> command =
        new ArrayList<>(
            List.of(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port.number(),
                "--web.enable-otlp-receiver",
                "--web.enable-remote-write-receiver",
                "--enable-feature=exemplar-storage"));
    command.addAll(List.of(more));
    JavaProcess started = processes.start(command, Map.of());
    started.awaitLine(READY);
    return started;
  }

  private String receiver() {
    return "http://127.0.0.1:" + port.number() + "/api/v1/otlp/v1/metrics";
  }

  private String address(String wire) {
    return wire.equals("otlp")
        ? "--export-otlp-address=" + receiver()
        : "--export-remote-write-address=http://127.0.0.1:" + port.number();
  }

  private SidecarProcess startSidecar(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("--self-hiccups=off"));
    all.addAll(List.of(options));
    return processes.sidecar(
        Map.of(
            "OTEL_SERVICE_NAME",
            "shop",
            "OTEL_RESOURCE_ATTRIBUTES",
            "service.instance.id=pod-1,k8s.pod.name=shop-1"),
        all);
  }

  private void record(SidecarProcess sidecar) throws Exception {
    HdrSidecarClient client =
        HdrSidecarClient.create(ClientConfig.builder().address(sidecar.ingestAddress()).build());
    LatencyRecorder recorder = client.recorder("checkout", Labels.of("route", "/pay"));
    for (int i = 0; i < VALUES; i++) {
      long nanos = (long) (4e6 * Math.exp(random.nextGaussian()));
      recorder.record(nanos, TRACE);
      recorded.add(nanos);
    }
    assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
  }

  private void assertAllIsThere() throws Exception {
    Eventually.holds(
        () ->
            assertThat(prometheus.value("histogram_count(" + METRIC + ")"))
                .isEqualTo(recorded.size()));
    assertThat(prometheus.value("histogram_sum(" + METRIC + ")"))
        .isCloseTo((double) recorded.stream().mapToLong(v -> v).sum() / 1e9, within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(strings = {"otlp", "remote-write"})
  void cumulative_isWhatWasRecorded_alsoWhenPrometheusIsKilledMeanwhile(String wire)
      throws Exception {
    JavaProcess first = startPrometheus();
    SidecarProcess sidecar = startSidecar(address(wire), "--export-interval=1s");
    record(sidecar);
    assertAllIsThere();
    long[] sorted = recorded.stream().mapToLong(v -> v).sorted().toArray();
    for (double quantile : new double[] {0.5, 0.9, 0.99}) {
      double truth = (double) sorted[(int) Math.ceil(quantile * sorted.length) - 1] / 1e9;
      double seen = prometheus.value("histogram_quantile(" + quantile + "," + METRIC + ")");
      System.out.printf(
          Locale.ROOT,
          "export to Prometheus by %s: p%s off by %.2f %%%n",
          wire,
          quantile * 100,
          100 * (seen / truth - 1));
      // 160 buckets for some 11 powers of two: scale 3, 9.1 % wide, and a bucket of ours.
      assertThat(seen / truth).isBetween(1 / 1.093, 1.093);
    }

    first.kill();
    record(sidecar);
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .containsPattern("export_requests_total\\{result=\"unreachable\"\\} [1-9]"));
    startPrometheus();

    assertAllIsThere();
    assertThat(prometheus.value("resets(" + METRIC + "[1h])")).isZero();
    assertThat(prometheus.value(TARGET)).isEqualTo(1);
    assertThat(prometheus.exemplars("checkout_seconds").encode()).contains(TRACE);
    assertThat(sidecar.metrics())
        .contains("hdr_sidecar_export_requests_total{result=\"partly_delivered\"} 0.0")
        .contains("hdr_sidecar_export_values_total " + (double) recorded.size())
        .contains("hdr_sidecar_export_lost_values_total{reason=\"series_ended\"} 0.0")
        .contains("hdr_sidecar_export_rejected_points_total 0.0");
  }

  /** So that an increase has the first values, too. */
  @Test
  void remoteWrite_tellsPrometheusWhenTheSeriesBegan() throws Exception {
    startPrometheus(
        "--enable-feature=created-timestamp-zero-ingestion,promql-experimental-functions");
    SidecarProcess sidecar = startSidecar(address("remote-write"), "--export-interval=1s");
    record(sidecar);

    assertAllIsThere();
    assertThat(prometheus.value("histogram_count(first_over_time(" + METRIC + "[1h]))")).isZero();
  }

  /** What is sent to one that takes 1.0 alone is refused there, and the log says what to do. */
  @Test
  void remoteWrite_toAReceiverOfVersion1_isRefusedWithWhatToDo() throws Exception {
    startPrometheus(
        "--web.remote-write-receiver.accepted-protobuf-messages=prometheus.WriteRequest");
    SidecarProcess sidecar = startSidecar(address("remote-write"), "--export-interval=1s");
    record(sidecar);

    assertThat(sidecar.awaitLine(Pattern.compile("event=export_fails .*")).group())
        .contains("result=refused", "status 415", "remote write 2.0", "export.otlp.address");
  }

  /** Prometheus adds deltas up by itself where it is told to. */
  @Test
  void delta_addedUpByPrometheus_isWhatWasRecorded_alsoAcross503() throws Exception {
    startPrometheus("--enable-feature=otlp-deltatocumulative");
    try (Busy busy = new Busy(URI.create(receiver()))) {
      SidecarProcess sidecar =
          startSidecar(
              "--export-otlp-address=" + busy.address(),
              "--export-interval=1s",
              "--export-otlp-temporality=delta");
      for (int i = 0; i < 3; i++) {
        busy.refuse(2);
        record(sidecar);
        Eventually.holds(() -> assertThat(busy.left()).isZero());
        assertAllIsThere(); // Not before a delta arrives does the wait after failures end.
      }

      assertThat(sidecar.metrics())
          .contains("hdr_sidecar_export_requests_total{result=\"throttled\"} 6.0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"otlp", "remote-write"})
  void end_pushesWhatIsNotPushedYet(String wire) throws Exception {
    startPrometheus();
    SidecarProcess sidecar = startSidecar(address(wire), "--export-interval=1h");
    record(sidecar);

    sidecar.signal("TERM");

    assertAllIsThere();
  }

  /** Stands before a receiver, and says 503 as often as it is told to. */
  private static final class Busy implements AutoCloseable {
    private final HttpServer server;
    private final URI receiver;
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger refusals = new AtomicInteger();

    Busy(URI receiver) throws IOException {
      this.receiver = receiver;
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
      server.createContext("/", this::handle);
      server.start();
    }

    String address() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/metrics";
    }

    void refuse(int requests) {
      refusals.set(requests);
    }

    int left() {
      return refusals.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        exchange.getResponseHeaders().set("Retry-After", "1");
        exchange.sendResponseHeaders(503, -1);
      } else {
        HttpResponse<byte[]> answer = forward(exchange, body);
        exchange.sendResponseHeaders(
            answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
        exchange.getResponseBody().write(answer.body());
      }
      exchange.close();
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body) throws IOException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(receiver).POST(BodyPublishers.ofByteArray(body));
      for (String name : Arrays.asList("Content-Type", "Content-Encoding")) {
        request.header(name, exchange.getRequestHeaders().getFirst(name));
      }
      try {
        return client.send(request.build(), BodyHandlers.ofByteArray());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
