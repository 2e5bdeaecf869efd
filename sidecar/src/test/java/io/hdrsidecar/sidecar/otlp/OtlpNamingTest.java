package io.hdrsidecar.sidecar.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Names as Prometheus' translation gives them; the exposition appends seconds and bytes. Expected
 * texts are those of {@code otlptranslator}'s documents and tests.
 */
final class OtlpNamingTest {
  private final OtlpNaming naming = new OtlpNaming(List.of("k8s.pod.name", "host-name"));

  @ParameterizedTest
  @CsvSource({
    "http.server.request.duration, s, http_server_request_duration, NANOSECONDS, 1000000000",
    "http.server.duration, ms, http_server_duration, NANOSECONDS, 1000000",
    "latency_milliseconds, ms, latency, NANOSECONDS, 1000000",
    "jvm.gc.duration_seconds, s, jvm_gc_duration, NANOSECONDS, 1000000000",
    "http.request.size, By, http_request_size, BYTES, 1",
    "system.filesystem.usage, GiBy, system_filesystem_usage_gibibytes, NONE, 1",
    "network.speed, By/s, network_speed_bytes_per_second, NONE, 1",
    "network.bytes, By/s, network_bytes_per_second, NONE, 1",
    "rate, m/m, rate_meters_per_minute, NONE, 1",
    "batch.size, {item}, batch_size, NONE, 1",
    "batch.share, 1, batch_share, NONE, 1",
    "queue.fill, %, queue_fill_percent, NONE, 1",
    "requests.per, {requests}/s, requests_per_per_second, NONE, 1",
    "broken metric speed, km/h, broken_metric_speed_km_per_hour, NONE, 1",
    "2xx.time, d, _2xx_time_days, NONE, 1",
    "a.__b..c, foo_bar, a_b_c_foo_bar, NONE, 1"
  })
  void metric_asPrometheusNamesIt(String name, String unit, String series, String kept, long per)
      throws Exception {
    OtlpNaming.Named named = naming.metric(name, unit, "");

    assertThat(named.name()).isEqualTo(series);
    assertThat(named.unit().kept()).hasToString(kept);
    assertThat(named.unit().valuesPerUnit()).isEqualTo(per);
  }

  @Test
  void metric_ofNothing_isRejected() {
    assertThatExceptionOfType(RejectedPointException.class)
        .isThrownBy(() -> naming.metric("._.", "s", ""))
        .withMessageContaining("._.");
  }

  @Test
  void resourceLabels_ofAService_areJobAndInstance() {
    assertThat(
            naming.resourceLabels(
                List.of(
                    new Attribute("service.namespace", "shop"),
                    new Attribute("service.name", "cart"),
                    new Attribute("service.instance.id", "627cc493"),
                    new Attribute("k8s.pod.name", "cart-0"),
                    new Attribute("os.type", "linux"))))
        .isEqualTo(
            Map.of(
                "exported_job", "shop/cart",
                "exported_instance", "627cc493",
                "k8s_pod_name", "cart-0"));
  }

  @Test
  void key_attributesThatBecomeOneLabel_areShownBoth() throws Exception {
    var key =
        naming.key(
            "a",
            List.of(
                new Attribute("http_method", "second"),
                new Attribute("http.method", "first"),
                new Attribute("1st", "x"),
                new Attribute("_private", "y"),
                new Attribute("le", "z")),
            Map.of("http_method", "resource", "exported_job", "cart"));

    assertThat(key)
        .hasToString(
            "a{exported_job=\"cart\",exported_le=\"z\",http_method=\"first;second\","
                + "key_1st=\"x\",key_private=\"y\"}");
  }

  @Test
  void key_moreLabelsThanASeriesMayHave_isRejected() {
    List<Attribute> many =
        java.util.stream.IntStream.range(0, 33).mapToObj(i -> new Attribute("a" + i, "x")).toList();

    assertThatExceptionOfType(RejectedPointException.class)
        .isThrownBy(() -> naming.key("a", many, Map.of()))
        .withMessageContaining("32 labels");
  }
}
