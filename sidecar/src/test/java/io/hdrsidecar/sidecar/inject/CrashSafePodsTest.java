package io.hdrsidecar.sidecar.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods that ask for a crash folder. */
class CrashSafePodsTest {
  private static JsonNode created(String annotations) throws Exception {
    String yaml =
        """
        metadata:
          name: web
          annotations: {%s}
        spec:
          containers:
            - name: app
        """
            .formatted(annotations);
    Verdict verdict = new Injector(YamlPod.component()).decide(YamlPod.pod(yaml), false);
    assertThat(verdict.warnings()).isEmpty();
    return YamlPod.patched(YamlPod.node(yaml), verdict.patch());
  }

  @ParameterizedTest
  @CsvSource({"'true', 128Mi", "48Mi, 48Mi"})
  void decide_crashSafe_givesBothContainersAFolderInMemory(String wanted, String size)
      throws Exception {
    JsonNode pod =
        created("hdrsidecar.io/inject: 'true', hdrsidecar.io/crash-safe: '" + wanted + "'");
    JsonNode without = created("hdrsidecar.io/inject: 'true'");

    JsonNode env = YamlPod.node("{name: HDR_SIDECAR_CRASH_FOLDER, value: /run/hdr-sidecar/crash}");
    JsonNode mount = YamlPod.node("{name: hdr-sidecar-crash, mountPath: /run/hdr-sidecar/crash}");
    for (String container : List.of("/spec/initContainers/0", "/spec/containers/0")) {
      assertThat(pod.at(container + "/env"))
          .hasSize(without.at(container + "/env").size() + 1)
          .containsOnlyOnce(env)
          .containsAll(without.at(container + "/env"));
      assertThat(pod.at(container + "/volumeMounts"))
          .hasSize(without.at(container + "/volumeMounts").size() + 1)
          .containsOnlyOnce(mount);
    }
    assertThat(pod.at("/spec/volumes"))
        .containsOnlyOnce(
            YamlPod.node(
                "{name: hdr-sidecar-crash, emptyDir: {medium: Memory, sizeLimit: " + size + "}}"));
  }
}
