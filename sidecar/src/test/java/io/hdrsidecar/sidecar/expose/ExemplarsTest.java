package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.prometheus.metrics.expositionformats.generated.Metrics;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a value with a trace is seen. */
@SuppressWarnings("NonCanonicalType") // The canonical name of the generated class has a version.
class ExemplarsTest {
  private static final SeriesDefinition CHECKOUT =
      Recording.definition("checkout", Labels.of("route", "/pay"), Unit.NANOSECONDS, "");

  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());
  private final Exposition exposition =
      new Exposition(ExposeConfig.defaults(), store, new MetricRegistry());

  @BeforeEach
  void recordTwoWithTraces() throws Exception {
    Exemplar slow = new Exemplar(20_000_000, 1_760_000_000_123L, "4bf9", "00f0");
    Exemplar quick = new Exemplar(4_000_000, 1_760_000_001_000L, "a\"b\\", "");
    Recording.record(store, CHECKOUT, slow, 3_000_000, 20_000_000);
    Recording.record(store, CHECKOUT, quick, 4_000_000);
  }

  @Test
  void openMetrics_hasThemOnTheirBuckets() throws Exception {
    String page =
        Page.of(exposition, "application/openmetrics-text;version=1.0.0", false).body().toString();

    assertThat(page)
        .contains(
            "checkout_seconds_bucket{route=\"/pay\",le=\"0.005\"} 2"
                + " # {trace_id=\"a\\\"b\\\\\"} 0.004 1760000001.000\n")
        .contains("checkout_seconds_bucket{route=\"/pay\",le=\"0.01\"} 2\n")
        .contains(
            "checkout_seconds_bucket{route=\"/pay\",le=\"0.025\"} 3"
                + " # {span_id=\"00f0\",trace_id=\"4bf9\"} 0.02 1760000000.123\n");
    assertThat(page.lines().filter(line -> line.contains(" # {"))).hasSize(2);
  }

  @Test
  void text_hasNoPlaceForThem() throws Exception {
    assertThat(Page.of(exposition, "text/plain", false).body().toString())
        .doesNotContain("4bf9")
        .doesNotContain(" # ");
  }

  @Test
  void protobuf_hasThemOnTheirBucketsAndOnTheNativeHistogram() throws Exception {
    String accept =
        "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
            + " encoding=delimited";
    ByteArrayInputStream in =
        new ByteArrayInputStream(Page.of(exposition, accept, false).body().getBytes());

    Metrics.MetricFamily family = Metrics.MetricFamily.parseDelimitedFrom(in);

    assertThat(family.getName()).isEqualTo("checkout_seconds");
    Metrics.Histogram histogram = family.getMetric(0).getHistogram();
    assertThat(histogram.getBucketList().stream().filter(Metrics.Bucket::hasExemplar)).hasSize(2);
    Metrics.Exemplar slow = histogram.getBucket(2).getExemplar(); // 0.025
    assertThat(slow.getValue()).isEqualTo(0.02);
    assertThat(slow.getTimestamp().getSeconds()).isEqualTo(1_760_000_000);
    assertThat(slow.getTimestamp().getNanos()).isEqualTo(123_000_000);
    assertThat(slow.getLabel(0).getName()).isEqualTo("span_id");
    assertThat(slow.getLabel(0).getValue()).isEqualTo("00f0");
    assertThat(slow.getLabel(1).getName()).isEqualTo("trace_id");
    assertThat(slow.getLabel(1).getValue()).isEqualTo("4bf9");
    assertThat(histogram.getExemplarsList())
        .containsExactlyInAnyOrder(slow, histogram.getBucket(0).getExemplar());
  }
}
