package io.hdrsidecar.tests.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleCounter;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongGauge;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.metrics.OtlpGrpcMetricExporter;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * OpenTelemetry's SDKs for Java, Python, Node, Go and Rust send to a real sidecar, each started
 * twice, by HTTP and three of them by gRPC: what they were given is counted, their sum is exact,
 * and percentiles are within the bound that the answer states, held against the sorted list of
 * values. A counter to which they add the same values has their sum, and a gauge the last number.
 */
final class OtlpSdksIT {
  private static final int VALUES = 1_000;

  /** Who gives up on a slow machine, by default after 10 s, loses a delta or sends it twice. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Path TOOLS = Path.of("src/test").toAbsolutePath();
  private static final Pattern LISTENING =
      Pattern.compile("address=(?<endpoint>http://[0-9.:]+/v1/metrics)");

  @RegisterExtension final Processes processes = new Processes();

  @TempDir Path folder = Path.of("set by JUnit");

  private final long[] nanos = new long[VALUES];
  private Path values = Path.of("set below");

  /** Microseconds from 0.1 ms to 20 s, so that a number of seconds has all of a value. */
  @BeforeEach
  void makeValues() throws IOException {
    SplittableRandom random = new SplittableRandom(44);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < VALUES; i++) {
      long micros = (long) (100 * Math.pow(200_000, random.nextDouble()));
      nanos[i] = micros * 1000;
      lines.append(String.format(Locale.ROOT, "%.6f%n", micros / 1e6));
    }
    values = Files.writeString(folder.resolve("values.txt"), lines);
  }

  @ParameterizedTest
  @CsvSource({
    "http, base2, delta",
    "http, base2, cumulative",
    "http, explicit, delta",
    "http, explicit, cumulative",
    "grpc, base2, delta",
    "grpc, explicit, cumulative"
  })
  void java_sentTwice_isCounted(String protocol, String buckets, String temporality)
      throws Exception {
    SidecarProcess sidecar = sidecar();
    String endpoint = endpoint(protocol, sidecar);
    for (int run = 0; run < 2; run++) {
      sendFromJava(exporter(protocol, endpoint, buckets, temporality));
    }
    assertCounted("Java 1.67.0 " + protocol, buckets, temporality, sidecar);
  }

  private static MetricExporter exporter(
      String protocol, String endpoint, String buckets, String temporality) {
    DefaultAggregationSelector defaults = DefaultAggregationSelector.getDefault();
    DefaultAggregationSelector aggregation =
        buckets.equals("base2")
            ? defaults.with(InstrumentType.HISTOGRAM, Aggregation.base2ExponentialBucketHistogram())
            : defaults;
    AggregationTemporalitySelector times =
        temporality.equals("delta")
            ? AggregationTemporalitySelector.deltaPreferred()
            : AggregationTemporalitySelector.alwaysCumulative();
    return protocol.equals("grpc")
        ? OtlpGrpcMetricExporter.builder()
            .setEndpoint(endpoint)
            .setTimeout(PATIENCE)
            .setCompression("gzip")
            .setAggregationTemporalitySelector(times)
            .setDefaultAggregationSelector(aggregation)
            .build()
        : OtlpHttpMetricExporter.builder()
            .setEndpoint(endpoint)
            .setTimeout(PATIENCE)
            .setCompression("gzip")
            .setAggregationTemporalitySelector(times)
            .setDefaultAggregationSelector(aggregation)
            .build();
  }

  /** Closes the exporter with its SDK. */
  private void sendFromJava(MetricExporter exporter) throws Exception {
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder()
            .setResource(
                Resource.create(
                    Attributes.of(
                        AttributeKey.stringKey("service.name"), "sdk",
                        AttributeKey.stringKey("service.instance.id"), "one")))
            .registerMetricReader(
                PeriodicMetricReader.builder(exporter).setInterval(Duration.ofHours(1)).build())
            .build()) {
      Meter meter = provider.get("test");
      DoubleHistogram histogram = meter.histogramBuilder("sdk.time").setUnit("s").build();
      DoubleCounter counter = meter.counterBuilder("sdk.busy").ofDoubles().setUnit("s").build();
      LongGauge gauge = meter.gaugeBuilder("sdk.last").ofLongs().setUnit("{value}").build();
      Attributes route = Attributes.of(AttributeKey.stringKey("route"), "/pay");
      for (int i = 0; i < VALUES; i++) {
        histogram.record(nanos[i] / 1e9, route);
        counter.add(nanos[i] / 1e9, route);
        gauge.set(i + 1, route);
        if (i == VALUES / 2) {
          flush(provider);
        }
      }
      flush(provider);
    }
  }

  /**
   * Its reader says that an export is over before it lets the next begin: one that is asked for at
   * once, as by a close, may be dropped as "Exporter busy", and is asked for again here.
   */
  private static void flush(SdkMeterProvider provider) throws Exception {
    Eventually.holds(
        () -> assertThat(provider.forceFlush().join(30, TimeUnit.SECONDS).isSuccess()).isTrue());
  }

  @ParameterizedTest
  @CsvSource({
    "http, base2, delta",
    "http, base2, cumulative",
    "http, explicit, delta",
    "http, explicit, cumulative",
    "grpc, base2, delta",
    "grpc, explicit, cumulative"
  })
  void python_sentTwice_isCounted(String protocol, String buckets, String temporality)
      throws Exception {
    String python =
        Tool.python(
            "otlp-python",
            List.of(
                "opentelemetry-sdk==1.39.0",
                "opentelemetry-exporter-otlp-proto-http==1.39.0",
                "opentelemetry-exporter-otlp-proto-grpc==1.39.0"));
    SidecarProcess sidecar = sidecar();
    List<String> command =
        List.of(
            python,
            TOOLS.resolve("python/otlp_send.py").toString(),
            endpoint(protocol, sidecar),
            buckets,
            temporality,
            "one",
            values.toString(),
            protocol);

    Tool.run(command, Path.of("."));
    Tool.run(command, Path.of("."));

    assertCounted("Python 1.39.0 " + protocol, buckets, temporality, sidecar);
  }

  @ParameterizedTest
  @CsvSource({
    "proto, base2, delta",
    "proto, base2, cumulative",
    "json, base2, cumulative",
    "json, explicit, delta"
  })
  void node_sentTwice_isCounted(String form, String buckets, String temporality) throws Exception {
    Path program = Files.createDirectories(Path.of("target/otlp-js").toAbsolutePath());
    for (String file : List.of("package.json", "package-lock.json", "send.js")) {
      Files.copy(
          TOOLS.resolve("js/otlp").resolve(file),
          program.resolve(file),
          StandardCopyOption.REPLACE_EXISTING);
    }
    Tool.bring(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"), program);
    SidecarProcess sidecar = sidecar();
    List<String> command =
        List.of(
            "node",
            program.resolve("send.js").toString(),
            endpoint("http", sidecar),
            form,
            buckets,
            temporality,
            "one",
            values.toString());

    Tool.run(command, Path.of("."));
    Tool.run(command, Path.of("."));

    assertCounted("Node 2.2.0 " + form, buckets, temporality, sidecar);
  }

  @ParameterizedTest
  @CsvSource({
    "http, base2, delta",
    "http, base2, cumulative",
    "http, explicit, delta",
    "http, explicit, cumulative",
    "grpc, base2, delta",
    "grpc, explicit, cumulative"
  })
  void go_sentTwice_isCounted(String protocol, String buckets, String temporality)
      throws Exception {
    Path program = Path.of("target/otlp-go").toAbsolutePath();
    Tool.bring(List.of("go", "build", "-o", program.toString(), "."), TOOLS.resolve("go/otlp"));
    SidecarProcess sidecar = sidecar();
    List<String> command =
        List.of(
            program.toString(),
            endpoint(protocol, sidecar),
            buckets,
            temporality,
            "one",
            values.toString(),
            protocol);

    Tool.run(command, Path.of("."));
    Tool.run(command, Path.of("."));

    assertCounted("Go 1.47.0 " + protocol, buckets, temporality, sidecar);
  }

  @ParameterizedTest
  @CsvSource({"base2, delta", "base2, cumulative", "explicit, delta", "explicit, cumulative"})
  void rust_sentTwice_isCounted(String buckets, String temporality) throws Exception {
    String program = Tool.cargo(TOOLS.resolve("rust/otlp"), "otlp-send");
    SidecarProcess sidecar = sidecar();
    List<String> command =
        List.of(program, endpoint("http", sidecar), buckets, temporality, "one", values.toString());

    Tool.run(command, Path.of("."));
    Tool.run(command, Path.of("."));

    assertCounted("Rust 0.31.0", buckets, temporality, sidecar);
  }

  private SidecarProcess sidecar() throws InterruptedException {
    return processes.sidecar(0, "--otlp-address=127.0.0.1:0", "--otlp-max-counters-and-gauges=2");
  }

  /** Both are taken at the same port; gRPC's has no path. */
  private static String endpoint(String protocol, SidecarProcess sidecar)
      throws InterruptedException {
    String endpoint = sidecar.awaitLine(LISTENING).group("endpoint");
    return protocol.equals("grpc") ? endpoint.replace("/v1/metrics", "") : endpoint;
  }

  private void assertCounted(String sdk, String buckets, String temporality, SidecarProcess sidecar)
      throws Exception {
    JsonObject total =
        sidecar.total(
            "sdk_time{route=\"/pay\",exported_job=\"sdk\",exported_instance=\"one\"}",
            "&percentiles=50,90,99");
    assertThat(total.getLong("count")).isEqualTo(2L * VALUES);
    assertThat(Double.parseDouble(total.getString("sum")))
        .isCloseTo(2.0 * Arrays.stream(nanos).sum(), within(10.0));
    assertShownAsTheyAre(sidecar.metrics());
    Double bound = total.getDouble("bound");
    double worst = worstError(total.getJsonArray("percentiles"));
    if (buckets.equals("base2")) {
      assertThat(bound).as("stated bound").isPositive().isLessThan(0.5);
      assertThat(worst).isBetween(0.0, bound);
    }
    System.out.printf(
        Locale.ROOT,
        "otlp %-18s %-8s %-10s sent %d, counted %d, bound %s, largest error %.4f%n",
        sdk,
        buckets,
        temporality,
        2 * VALUES,
        total.getLong("count"),
        bound,
        worst);
  }

  /**
   * Of the counter, the sum as each SDK has added it up: doubles, one after another, so it is off
   * by some of their last digits.
   */
  private void assertShownAsTheyAre(String page) {
    Map<String, Double> shown =
        page.lines()
            .filter(line -> line.startsWith("sdk_busy") || line.startsWith("sdk_last"))
            .map(line -> line.split(" ", 2))
            .collect(
                Collectors.toMap(
                    line -> line[0].replaceAll("\\{.*", ""), line -> Double.parseDouble(line[1])));
    assertThat(shown).containsOnlyKeys("sdk_busy_seconds_total", "sdk_last");
    assertThat(shown.get("sdk_busy_seconds_total"))
        .isCloseTo(2.0 * Arrays.stream(nanos).sum() / 1e9, within(1e-8));
    assertThat(shown.get("sdk_last")).isEqualTo(VALUES);
  }

  /** By how much of the true value a percentile is above it. */
  private double worstError(JsonArray percentiles) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    double worst = 0;
    for (int i = 0; i < percentiles.size(); i++) {
      JsonObject each = percentiles.getJsonObject(i);
      int rank = (int) Math.ceil(each.getDouble("percentile") / 100 * VALUES);
      double expected = sorted[rank - 1];
      worst = Math.max(worst, each.getDouble("value") / expected - 1);
      assertThat(each.getDouble("value")).isGreaterThanOrEqualTo(expected);
    }
    return worst;
  }
}
