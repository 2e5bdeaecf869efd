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
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real sidecar pushes to a real Collector of OpenTelemetry, which hands on what it understood:
 * bucket by bucket what was recorded, by the formula of its edges, also when it is killed in the
 * meantime. And the other way, from an SDK.
 */
@RequiresPrograms("otelcol")
final class CollectorIT {
  /** Who gives up on a slow machine, by default after 5 or 10 s, loses or doubles a delta. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final String WITHOUT_QUEUE = "timeout: 5m, sending_queue: {enabled: false}";
  private static final String SDK_SERIES = "sdk_time{exported_job=\"sdk\"}";
  private static final Pattern LISTENING =
      Pattern.compile("address=(?<endpoint>http://[0-9.:]+/v1/metrics)");
  private static final int VALUES = 5_000;
  private static final Pattern READY = Pattern.compile("Everything is ready");

  @RegisterExtension final Processes processes = new Processes();

  @TempDir Path folder = Path.of("set by JUnit");

  private final List<JsonObject> points = new CopyOnWriteArrayList<>();
  private final List<JsonObject> resources = new CopyOnWriteArrayList<>();
  private final long[] recorded = new long[2 * VALUES];
  private HttpServer behind;
  private ReservedPort port;

  @BeforeEach
  void listen() throws IOException {
    port = new ReservedPort();
    behind = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    behind.createContext("/v1/metrics", this::keep);
    behind.start();
    SplittableRandom random = new SplittableRandom(45);
    Arrays.setAll(recorded, i -> (long) (4e6 * Math.exp(random.nextGaussian())));
  }

  @AfterEach
  void close() throws IOException {
    behind.stop(0);
    port.close();
  }

  /** What the Collector hands on, in OTLP's JSON. */
  private void keep(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    JsonObject request = new JsonObject(new String(body, StandardCharsets.UTF_8));
    for (JsonObject resource : all(request, "resourceMetrics")) {
      resources.add(resource.getJsonObject("resource"));
      for (JsonObject scope : all(resource, "scopeMetrics")) {
        for (JsonObject metric : all(scope, "metrics")) {
          if (metric.getString("name").equals("checkout")) {
            points.addAll(
                all(metric.getJsonObject("exponentialHistogram"), "dataPoints").stream()
                    .map(point -> point.put("unit", metric.getString("unit")))
                    .toList());
          }
        }
      }
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 2);
    exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
    exchange.close();
  }

  private static List<JsonObject> all(JsonObject message, String field) {
    return message.getJsonArray(field, new JsonArray()).stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  private JavaProcess startCollector() throws Exception {
    return startCollector(
        byHttp("http://127.0.0.1:" + behind.getAddress().getPort() + "/v1/metrics"));
  }

  private static String byHttp(String endpoint) {
    return "otlphttp: {metrics_endpoint: \"%s\", encoding: json, compression: none, %s}"
        .formatted(endpoint, WITHOUT_QUEUE);
  }

  /** Its exporter for gRPC, to the port of the same endpoint. */
  private static String byGrpc(String endpoint) {
    return "otlp: {endpoint: \"%s\", tls: {insecure: true}, %s}"
        .formatted(URI.create(endpoint).getAuthority(), WITHOUT_QUEUE);
  }

  /**
   * Starts one.
   *
   * @param exporter its name and settings
   */
  private JavaProcess startCollector(String exporter) throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("collector.yaml"),
            """
            receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:%d"}}}}
            exporters: {%s}
            service:
              telemetry: {metrics: {level: none}}
              pipelines: {metrics: {receivers: [otlp], exporters: [%s]}}
            """
                .formatted(port.number(), exporter, exporter.substring(0, exporter.indexOf(':'))));
    JavaProcess started = processes.start(List.of("otelcol", "--config=" + config), Map.of());
    started.awaitLine(READY);
    return started;
  }

  private void record(SidecarProcess sidecar, int from) throws Exception {
    HdrSidecarClient client =
        HdrSidecarClient.create(ClientConfig.builder().address(sidecar.ingestAddress()).build());
    LatencyRecorder recorder = client.recorder("checkout", Labels.of("route", "/pay"));
    for (int i = from; i < from + VALUES; i++) {
      recorder.record(recorded[i]);
    }
    assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
  }

  private static long number(JsonObject message, String field) {
    return Long.parseLong(String.valueOf(message.getValue(field, 0)));
  }

  private LongStream counts(boolean isDelta) {
    List<JsonObject> chosen =
        isDelta || points.isEmpty() ? points : List.of(points.get(points.size() - 1));
    return chosen.stream().mapToLong(point -> number(point, "count"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cumulative", "delta"})
  void collector_killedInTheMeantime_understandsAllThatWasRecorded(String temporality)
      throws Exception {
    boolean isDelta = temporality.equals("delta");
    JavaProcess first = startCollector();
    SidecarProcess sidecar =
        processes.sidecar(
            Map.of("OTEL_SERVICE_NAME", "shop"),
            List.of(
                "--export-otlp-address=http://127.0.0.1:" + port.number(),
                "--export-interval=1s",
                "--export-timeout=5m",
                "--self-hiccups=off",
                "--export-otlp-temporality=" + temporality));
    record(sidecar, 0);
    Eventually.holds( // Also that the sidecar knows it: a delta without an answer comes twice.
        () ->
            assertThat(sidecar.metrics())
                .contains("hdr_sidecar_export_values_total " + (double) VALUES));
    assertThat(counts(isDelta).sum()).isEqualTo(VALUES);

    first.kill();
    record(sidecar, VALUES);
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .containsPattern("export_requests_total\\{result=\"un[a-z]+\"\\} [1-9]"));
    startCollector();
    Eventually.holds(() -> assertThat(counts(isDelta).sum()).isEqualTo(2L * VALUES));

    JsonObject last = points.get(points.size() - 1);
    assertThat(last.getString("unit")).isEqualTo("s");
    assertThat(last.getJsonArray("attributes").encode()).contains("route").contains("/pay");
    assertThat(resources.get(0).encode()).contains("service.name").contains("shop");
    if (!isDelta) {
      double sum = (double) Arrays.stream(recorded).sum() / 1e9;
      assertThat(last.getDouble("sum")).isCloseTo(sum, within(1e-6));
      double max = (double) Arrays.stream(recorded).max().orElseThrow() / 1e9;
      assertThat(last.getDouble("max")).isEqualTo(max);
      assertBuckets(last);
    }
    System.out.printf(
        "export to the Collector: %-10s recorded %d, understood %d, scale %d%n",
        temporality, 2 * VALUES, counts(isDelta).sum(), number(last, "scale"));
  }

  /** The other way: the Collector hands on to a sidecar what an SDK has sent. */
  @ParameterizedTest
  @CsvSource({"http, cumulative", "http, delta", "grpc, cumulative", "grpc, delta"})
  void sdk_behindACollectorThatIsKilledInTheMeantime_isCountedOnce(
      String protocol, String temporality) throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--otlp-address=127.0.0.1:0");
    String endpoint = sidecar.awaitLine(LISTENING).group("endpoint");
    String exporter = protocol.equals("grpc") ? byGrpc(endpoint) : byHttp(endpoint);
    JavaProcess first = startCollector(exporter);
    try (SdkMeterProvider sdk = sdk(temporality)) {
      send(sdk, 0);
      assertThat(sidecar.total(SDK_SERIES, "").getLong("count")).isEqualTo(VALUES);
      first.kill();
      startCollector(exporter);
      send(sdk, VALUES);
    }
    JsonObject total = sidecar.total(SDK_SERIES, "");
    assertThat(total.getLong("count")).isEqualTo(2L * VALUES);
    assertThat(Double.parseDouble(total.getString("sum")))
        .isCloseTo((double) Arrays.stream(recorded).sum(), within(1e3)); // A microsecond.
  }

  private SdkMeterProvider sdk(String temporality) {
    OtlpHttpMetricExporter exporter =
        OtlpHttpMetricExporter.builder()
            .setEndpoint("http://127.0.0.1:" + port.number() + "/v1/metrics")
            .setTimeout(PATIENCE)
            .setAggregationTemporalitySelector(
                temporality.equals("delta")
                    ? AggregationTemporalitySelector.deltaPreferred()
                    : AggregationTemporalitySelector.alwaysCumulative())
            .setDefaultAggregationSelector(
                DefaultAggregationSelector.getDefault()
                    .with(InstrumentType.HISTOGRAM, Aggregation.base2ExponentialBucketHistogram()))
            .build();
    return SdkMeterProvider.builder()
        .setResource(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "sdk")))
        .registerMetricReader(
            PeriodicMetricReader.builder(exporter).setInterval(Duration.ofHours(1)).build())
        .build();
  }

  private void send(SdkMeterProvider sdk, int from) {
    DoubleHistogram histogram = sdk.get("test").histogramBuilder("sdk.time").setUnit("s").build();
    for (int i = from; i < from + VALUES; i++) {
      histogram.record((double) recorded[i] / 1e9);
    }
    assertThat(sdk.forceFlush().join(PATIENCE.toSeconds(), TimeUnit.SECONDS).isSuccess()).isTrue();
  }

  /** Each edge, but for values less than 0.1 % below it. */
  private void assertBuckets(JsonObject point) {
    double perPower = Math.pow(2, (double) number(point, "scale"));
    JsonObject positive = point.getJsonObject("positive");
    int index = (int) number(positive, "offset");
    long reached = number(point, "zeroCount");
    for (Object count : positive.getJsonArray("bucketCounts")) {
      reached += Long.parseLong(count.toString());
      double edge = 1e9 * Math.pow(2, ++index / perPower);
      assertThat(reached).isBetween(upTo(edge * 0.999), upTo(edge));
    }
    assertThat(reached).isEqualTo(2L * VALUES);
  }

  private long upTo(double edge) {
    return Arrays.stream(recorded).filter(value -> value <= edge).count();
  }
}
