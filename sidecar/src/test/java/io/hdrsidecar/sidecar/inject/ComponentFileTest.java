package io.hdrsidecar.sidecar.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The component as it is read from the files of the manifests. */
class ComponentFileTest {
  private final Path folder;

  ComponentFileTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void ofBuild_always_isThatOfTheManifests() throws Exception {
    Path manifests = Path.of("..", "k8s", "component");

    assertThat(ComponentFile.ofBuild()).isEqualTo(ComponentFile.read(manifests));
    assertThat(ComponentFile.ofBuild().isNative()).isTrue();
  }

  /** Its readiness would be that of the pod, and so of the application. */
  @Test
  void ofBuild_injected_leavesReadinessToTheApplication() throws Exception {
    String yaml =
        """
        metadata: {name: web, annotations: {hdrsidecar.io/inject: "true"}}
        spec: {containers: [{name: app}]}
        """;
    Injector injector = new Injector(ComponentFile.ofBuild());

    JsonNode pod =
        YamlPod.patched(YamlPod.node(yaml), injector.decide(YamlPod.pod(yaml), false).patch());

    JsonNode sidecar = pod.at("/spec/initContainers/0");
    assertThat(sidecar.get("name").asText()).isEqualTo("hdr-sidecar");
    assertThat(sidecar.has("startupProbe") && sidecar.has("livenessProbe")).isTrue();
    assertThat(sidecar.has("readinessProbe")).isFalse();
  }

  @Test
  void read_folderWithoutFiles_namesTheFirst() {
    assertThatThrownBy(() -> ComponentFile.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessage("no such file: " + folder.resolve("sidecar.yaml"));
  }

  @Test
  void read_folderInPlaceOfAFile_namesIt() throws Exception {
    Path taken = Files.createDirectory(folder.resolve("sidecar.yaml"));

    assertThatThrownBy(() -> ComponentFile.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessage("must be a file, is a folder: " + taken);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sidecar.yaml | initContainers: | inits: | sidecar.yaml: must have one container, the sidecar
          sidecar.yaml | name: hdr-sidecar | name: other | sidecar.yaml: the container must be named hdr-sidecar
          sidecar.yaml | value: 30s | value: soon | sidecar.yaml: HDR_SIDECAR_DRAIN: not a duration such as 500ms, 10s, 5m or 24h: soon
          sidecar.yaml | /journal/files | /elsewhere | sidecar.yaml: HDR_SIDECAR_JOURNAL_DIRECTORY must name a path under one of volumeMounts
          sidecar.yaml | HDR_SIDECAR_SLA_FILE | OTHER | sidecar.yaml: env: must have HDR_SIDECAR_SLA_FILE with a value
          sidecar.yaml | cpu: 20m | cpu: some | sidecar.yaml: spec.template.spec.initContainers[0].resources.requests: not a quantity such as 96Mi or 250m: some
          sidecar.yaml | spec: | : [ | sidecar.yaml: not YAML
          pod.yaml | fsGroup: 4711 | runAsUser: 0 | pod.yaml: securityContext: may only set
          pod.yaml | terminationGracePeriodSeconds: 65 | terminationGracePeriodSeconds: long | spec.template.spec.terminationGracePeriodSeconds: must be a whole number: long
          client.yaml | volumeMounts: | mounts: | client.yaml: volumeMounts: must have the folder of the socket
          """)
  void read_fileThatIsWrong_saysWhatHasToBeWhere(
      String file, String original, String broken, String expected) throws Exception {
    for (String name : new String[] {"sidecar.yaml", "pod.yaml", "client.yaml"}) {
      String text = Files.readString(YamlPod.componentFolder().resolve(name));
      assertThat(name.equals(file) && !text.contains(original)).isFalse();
      Files.writeString(
          folder.resolve(name), name.equals(file) ? text.replace(original, broken) : text);
    }

    assertThatThrownBy(() -> ComponentFile.read(folder))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessageStartingWith(expected);
  }

  @Test
  void withImage_other_changesNothingElse() throws Exception {
    Component component = YamlPod.component();

    Component changed = component.withImage("b:2");

    assertThat(changed.sidecar().getString("image")).isEqualTo("b:2");
    assertThat(component.sidecar().getString("image")).isEqualTo("hdr-sidecar:1");
    assertThat(changed.withImage("hdr-sidecar:1")).isEqualTo(component);
  }
}
