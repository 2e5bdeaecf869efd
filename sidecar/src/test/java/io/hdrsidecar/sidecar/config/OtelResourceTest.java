package io.hdrsidecar.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The variables of OpenTelemetry, as its specification has them. */
class OtelResourceTest {
  private final List<String> warnings = new ArrayList<>();

  private Map<String, String> of(Map<String, String> environment) {
    return OtelResource.of(environment, 9925, warnings);
  }

  @Test
  void attributes_areDecoded_andTheNameOfTheServiceWins() {
    assertThat(
            of(
                Map.of(
                    "OTEL_RESOURCE_ATTRIBUTES",
                    "service.name=other, deployment.environment.name=a%2Cb%20c+d ,k8s.pod.name=p,",
                    "OTEL_SERVICE_NAME",
                    "checkout",
                    "HOSTNAME",
                    "pod-1")))
        .isEqualTo(
            Map.of(
                "service.name", "checkout",
                "service.instance.id", "pod-1:9925",
                "deployment.environment.name", "a,b c+d",
                "k8s.pod.name", "p"));
    assertThat(warnings).isEmpty();
  }

  @Test
  void nothingSet_hasAServiceAndAnInstanceAllTheSame() {
    Map<String, String> attributes = of(Map.of());

    assertThat(attributes).containsEntry("service.name", "hdr-sidecar");
    assertThat(attributes.get("service.instance.id")).isNotBlank();
    assertThat(of(Map.of())).isEqualTo(attributes);
  }

  @Test
  void instance_thatIsSet_isKept() {
    assertThat(of(Map.of("OTEL_RESOURCE_ATTRIBUTES", "service.instance.id=x")))
        .containsEntry("service.instance.id", "x");
  }

  @Test
  void instances_withoutAKnownPort_differ() {
    assertThat(OtelResource.of(Map.of(), 0, warnings))
        .isNotEqualTo(OtelResource.of(Map.of(), 0, warnings));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=b,c", "a=b,=c", "a=%zz", "a=b,x=%4"})
  void attributes_withAMistake_areLeftOutWhole_andToldOf(String text) {
    assertThat(of(Map.of("OTEL_RESOURCE_ATTRIBUTES", text, "HOSTNAME", "h")))
        .containsOnlyKeys("service.name", "service.instance.id");
    assertThat(warnings).singleElement().asString().startsWith("OTEL_RESOURCE_ATTRIBUTES: none");
  }
}
