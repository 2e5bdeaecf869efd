package io.hdrsidecar.sidecar.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdrsidecar.sidecar.inject.Verdict.Result;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of fields that the sidecar shares with everybody in the pod. */
class PodFieldsTest {
  private Injector injector;

  @BeforeEach
  void makeInjector() throws Exception {
    Component small = YamlPod.component();
    injector =
        new Injector(
            new Component(
                small.sidecar(),
                small.isNative(),
                small.volumes(),
                small.env(),
                small.mounts(),
                Map.of("fsGroup", 4711, "fsGroupChangePolicy", "OnRootMismatch"),
                small.graceSeconds(),
                small.labels(),
                small.annotations(),
                small.crashFolder()));
  }

  private JsonNode created(String field) throws Exception {
    String yaml =
        """
        metadata:
          name: web
          annotations: {hdrsidecar.io/inject: "true"}
        spec:
          containers: [{name: app}]
          %s
        """
            .formatted(field);
    Verdict verdict = injector.decide(YamlPod.pod(yaml), false);
    assertThat(verdict.warnings()).isEmpty();
    assertThat(verdict.result()).isEqualTo(Result.INJECTED);
    return YamlPod.patched(YamlPod.node(yaml), verdict.patch());
  }

  @ParameterizedTest(name = "{0} s -> {1} s")
  @CsvSource({"30, 65", "65, 100", "10, 45", "0, 35"})
  void decide_graceOfItsOwn_getsTheSidecarsTimeOnTop(int own, int expected) throws Exception {
    JsonNode pod = created("terminationGracePeriodSeconds: " + own);

    assertThat(pod.at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "[{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows, linux]}]}]",
        "[{matchExpressions: [{key: kubernetes.io/os, operator: NotIn, values: [windows]}]}]",
        "[{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows]}]},"
            + " {matchExpressions: [{key: zone, operator: In, values: [a]}]}]",
      })
  void decide_affinityThatALinuxNodeMeets_getsTheSidecar(String terms) throws Exception {
    String affinity =
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " {nodeSelectorTerms: "
            + terms
            + "}}}";

    JsonNode pod = created(affinity);

    assertThat(pod.at("/spec/initContainers/0/name").asText()).isEqualTo("hdr-sidecar");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{runAsUser: 7}                                   | {runAsUser: 7, fsGroup: 4711,"
            + " fsGroupChangePolicy: OnRootMismatch}",
        "{fsGroup: 2}                                     | {fsGroup: 2}",
        "{fsGroup: 2, fsGroupChangePolicy: Always}        | {fsGroup: 2, fsGroupChangePolicy:"
            + " Always}",
      })
  void decide_securityContextOfItsOwn_getsTheGroupIfItHasNone(String own, String expected)
      throws Exception {
    JsonNode pod = created("securityContext: " + own);

    assertThat(pod.at("/spec/securityContext")).isEqualTo(YamlPod.node(expected));
  }
}
