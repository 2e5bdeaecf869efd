package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.receive.ClientFigures;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.hdrsidecar.sidecar.support.Promtool;
import io.prometheus.metrics.expositionformats.generated.Metrics;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("NonCanonicalType") // The canonical name of the generated class has a version.
class ExpositionTest {
  private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";
  private static final String PROTOBUF =
      "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
          + " encoding=delimited";

  private final SelfMetrics self = new SelfMetrics("1.2.3");
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());
  private final Exposition exposition =
      new Exposition(ExposeConfig.defaults(), store, self.registry());

  @Test
  void render_asText_showsCountsSumBucketsAndWindow() throws Exception {
    record(
        "checkout",
        Labels.of("route", "/pay"),
        Unit.NANOSECONDS,
        4_000_000,
        20_000_000,
        3_000_000_000L);

    String page = text();

    assertThat(page)
        .contains("# HELP checkout_seconds Help of checkout.\n# TYPE checkout_seconds histogram\n")
        .contains("checkout_seconds_bucket{route=\"/pay\",le=\"0.005\"} 1\n")
        .contains("checkout_seconds_bucket{route=\"/pay\",le=\"0.025\"} 2\n")
        .contains("checkout_seconds_bucket{route=\"/pay\",le=\"5.0\"} 3\n")
        .contains("checkout_seconds_bucket{route=\"/pay\",le=\"+Inf\"} 3\n")
        .contains("checkout_seconds_count{route=\"/pay\"} 3\n")
        .contains("checkout_seconds_sum{route=\"/pay\"} 3.024\n")
        .contains("# TYPE checkout_window_seconds untyped\n")
        .contains("checkout_window_seconds{quantile=\"1\",route=\"/pay\",window=\"1m\"} 3.0\n")
        .contains("checkout_window_seconds{quantile=\"0.5\",route=\"/pay\",window=\"1m\"} 0.02000")
        .doesNotContain("_created");
  }

  @Test
  void render_twice_showsTheSame() throws Exception {
    record("checkout", Labels.empty(), Unit.NANOSECONDS, 4_000_000);

    assertThat(seriesLines(text())).isEqualTo(seriesLines(text())).isNotEmpty();
  }

  @Test
  void render_ofASeriesWithoutValues_showsZeroAndNoWindow() throws Exception {
    register("idle", Labels.empty(), Unit.NANOSECONDS);

    assertThat(text()).contains("idle_seconds_count 0\n").doesNotContain("idle_window_seconds");
  }

  @ParameterizedTest
  @CsvSource({
    "latency, NANOSECONDS, latency_seconds",
    "latency_seconds, MILLISECONDS, latency_seconds",
    "size, BYTES, size_bytes",
    "depth, NONE, depth"
  })
  void render_ofAnyUnit_namesTheBaseUnitOnce(String name, Unit unit, String family)
      throws Exception {
    record(name, Labels.empty(), unit, 2_000);

    double inBaseUnit = unit.toBaseUnit(2_000);
    assertThat(text())
        .contains("# TYPE " + family + " histogram\n")
        .contains(family + "_sum " + inBaseUnit + "\n");
  }

  @Test
  void render_asOpenMetrics_hasUnitCreatedAndEnd() throws Exception {
    record("checkout", Labels.empty(), Unit.NANOSECONDS, 4_000_000);

    Page page = Page.of(exposition, OPEN_METRICS, false);

    assertThat(page.contentType()).startsWith("application/openmetrics-text");
    assertThat(page.body().toString())
        .contains("# UNIT checkout_seconds seconds\n")
        .contains("# TYPE checkout_window_seconds unknown\n")
        .contains("checkout_seconds_created 1")
        .endsWith("# EOF\n");
  }

  @Test
  void render_asText_isWellFormed() throws Exception {
    record("checkout", Labels.of("route", "a\\b\"c\nd"), Unit.NANOSECONDS, 4_000_000);
    record("size", Labels.empty(), Unit.BYTES, 4_000_000);

    assertWellFormed(text());
  }

  @Test
  void render_asProtobuf_carriesNativeAndClassicBuckets() throws Exception {
    record("checkout", Labels.of("route", "/pay"), Unit.NANOSECONDS, 0, 4_000_000, 20_000_000);

    Metrics.MetricFamily family = family(protobuf(), "checkout_seconds");

    assertThat(family.getType()).isEqualTo(Metrics.MetricType.HISTOGRAM);
    Metrics.Histogram histogram = family.getMetric(0).getHistogram();
    assertThat(histogram.getSampleCount()).isEqualTo(3);
    assertThat(histogram.getSampleSum()).isCloseTo(0.024, within(1e-12));
    assertThat(histogram.getSchema()).isEqualTo(3);
    assertThat(histogram.getZeroCount()).isEqualTo(1);
    assertThat(histogram.getPositiveDeltaList()).hasSize(2);
    // ceil(8 * log2(0.004)), where the bucket of 4 ms in 3 digits ends at 4.001791 ms.
    assertThat(histogram.getPositiveSpan(0).getOffset()).isEqualTo(-63);
    assertThat(histogram.getBucketCount()).isEqualTo(12);
    assertThat(histogram.hasCreatedTimestamp()).isTrue();
    assertThat(family.getMetric(0).getTimestampMs()).isZero();
  }

  @Test
  void render_asProtobuf_untypedWindowHasQuantiles() throws Exception {
    record("checkout", Labels.empty(), Unit.NANOSECONDS, 4_000_000);

    Metrics.MetricFamily family = family(protobuf(), "checkout_window_seconds");

    assertThat(family.getType()).isEqualTo(Metrics.MetricType.UNTYPED);
    assertThat(family.getMetricCount()).isEqualTo(6);
  }

  @Test
  void render_gzipped_isTheSamePage() throws Exception {
    record("checkout", Labels.empty(), Unit.NANOSECONDS, 4_000_000);

    Page page = Page.of(exposition, "text/plain", true);

    assertThat(page.gzipped()).isTrue();
    String unzipped =
        new String(
            new GZIPInputStream(new ByteArrayInputStream(page.body().getBytes())).readAllBytes(),
            StandardCharsets.UTF_8);
    assertThat(seriesLines(unzipped)).isEqualTo(seriesLines(text()));
  }

  @Test
  void render_withASeriesNamedAsAMetricOfOurs_leavesItOutAndCountsIt() throws Exception {
    GaugeSnapshot.GaugeDataPointSnapshot one =
        GaugeSnapshot.GaugeDataPointSnapshot.builder().value(1).build();
    self.registry()
        .add(
            () ->
                MetricSnapshots.of(
                    GaugeSnapshot.builder().name("taken_seconds").dataPoint(one).build()));
    record("taken", Labels.empty(), Unit.NANOSECONDS, 4_000_000);
    record("checkout", Labels.empty(), Unit.NANOSECONDS, 4_000_000);

    text();
    String page = text();

    assertThat(page)
        .contains("checkout_seconds_count 1\n")
        .contains("# TYPE taken_seconds gauge\n")
        .contains("hdr_sidecar_scrape_failed_series_total 2.0\n");
  }

  @Test
  void render_theWholePage_pleasesPromtool() throws Exception {
    self.add(store);
    InstanceId client = InstanceId.random();
    self.addClients(() -> List.of(client(client)));
    record("checkout", Labels.of("route", "/pay"), Unit.NANOSECONDS, 0, 4_000_000, 20_000_000);
    record("size", Labels.empty(), Unit.BYTES, 4_000_000);
    record("depth", Labels.empty(), Unit.NONE, 7);
    text();

    String page = text();

    assertThat(page)
        .contains("hdr_sidecar_client_lost_values_total{client=\"" + client + "\"} 1.0\n")
        .contains("hdr_sidecar_client_pending_intervals{client=\"" + client + "\"} 2.0\n")
        .contains("hdr_sidecar_client_connected{client=\"" + client + "\"} 1.0\n")
        .contains("hdr_sidecar_client_info{client=\"" + client + "\",service=\"shop\"} 1\n")
        .contains("hdr_sidecar_series 3.0\n")
        .contains("hdr_sidecar_merged_intervals_total 3.0\n")
        .contains("hdr_sidecar_rejected_total{reason=\"bad_crc\"} 0.0\n");
    Promtool.assertSilentOn(page);
  }

  private static ClientFigures client(InstanceId instance) {
    Map<String, Long> figures =
        Map.of("lost_values_total", 1L, "pending_intervals", 2L, "start_time_seconds", 1767323045L);
    return new ClientFigures(
        instance, Labels.of("service", "shop"), figures, /* connected= */ true, Instant.MAX);
  }

  @Test
  void render_ownCounters_tellWhenTheyBegan() throws Exception {
    self.add(store);
    self.addClients(() -> List.of(client(InstanceId.random())));

    String page = Page.of(exposition, OPEN_METRICS, false).body().toString();

    assertThat(page)
        .containsPattern(
            "hdr_sidecar_client_lost_values_created\\{client=\"\\w+\"} 1767323045.000\n")
        .containsPattern("hdr_sidecar_merged_intervals_created \\d+\\.\\d{3}\n")
        .containsPattern("hdr_sidecar_rejected_created\\{reason=\"bad_crc\"} \\d+\\.\\d{3}\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/openmetrics-text;q=0.1, text/plain;q=0.9 | text/plain",
        "application/openmetrics-text;q=0.9, text/plain;q=0.1 | application/openmetrics-text",
        "application/openmetrics-text;q=0, */*;q=0.1 | text/plain",
        PROTOBUF + ";q=0.5,application/openmetrics-text;version=1.0.0;q=0.6 | application/openm",
        PROTOBUF
            + ";q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.2,*/*"
            + ";q=0.1 | application/vnd.google.protobuf",
        "text/html | text/plain"
      })
  void render_weightedAccept_takesWhatIsPreferred(String accept, String type) throws Exception {
    assertThat(Page.of(exposition, accept, false).contentType()).startsWith(type);
  }

  private String text() throws IOException {
    return Page.of(exposition, "text/plain", false).body().toString();
  }

  private Map<String, Metrics.MetricFamily> protobuf() throws IOException {
    Page page = Page.of(exposition, PROTOBUF, false);
    assertThat(page.contentType()).startsWith("application/vnd.google.protobuf");
    Map<String, Metrics.MetricFamily> families = new HashMap<>();
    ByteArrayInputStream in = new ByteArrayInputStream(page.body().getBytes());
    while (in.available() > 0) {
      Metrics.MetricFamily family = Metrics.MetricFamily.parseDelimitedFrom(in);
      assertThat(families.put(family.getName(), family)).isNull();
    }
    return families;
  }

  private static Metrics.MetricFamily family(
      Map<String, Metrics.MetricFamily> families, String name) {
    assertThat(families).containsKey(name);
    return Objects.requireNonNull(families.get(name));
  }

  private static String seriesLines(String page) {
    return String.join("\n", page.lines().filter(line -> line.contains("checkout")).toList());
  }

  /** The grammar of the text format, one line at a time; each family told once, samples unique. */
  private static void assertWellFormed(String page) {
    String name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    String label = "[a-zA-Z_][a-zA-Z0-9_]*=\"(\\\\[\\\\\"n]|[^\\\\\"\\n])*\"";
    Pattern sample =
        Pattern.compile(
            "(" + name + "(\\{" + label + "(," + label + ")*\\})?) ([-+]?[0-9.eE+-]+|NaN|[+-]Inf)");
    Pattern type =
        Pattern.compile("# TYPE (" + name + ") (counter|gauge|histogram|summary|untyped)");
    Set<String> seen = new HashSet<>();
    assertThat(page).endsWith("\n");
    page.lines()
        .forEach(
            line -> {
              if (line.startsWith("# TYPE")) {
                assertThat(type.matcher(line).matches()).as(line).isTrue();
                assertThat(seen.add(line.substring("# TYPE ".length()))).as(line).isTrue();
              } else if (!line.startsWith("# HELP ")) {
                var matcher = sample.matcher(line);
                assertThat(matcher.matches()).as(line).isTrue();
                assertThat(seen.add(matcher.group(1) + " ")).as(line).isTrue();
              }
            });
  }

  private void register(String name, Labels labels, Unit unit) throws Exception {
    record(name, labels, unit);
  }

  private void record(String name, Labels labels, Unit unit, long... values) throws Exception {
    Recording.record(
        store, Recording.definition(name, labels, unit, "Help of " + name + "."), values);
  }
}
