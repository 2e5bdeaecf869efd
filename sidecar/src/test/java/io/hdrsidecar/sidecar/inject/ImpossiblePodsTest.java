package io.hdrsidecar.sidecar.inject;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.inject.Verdict.Result;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods that want a sidecar and cannot have it: created as they are, with the field and the fix. */
class ImpossiblePodsTest {
  private static final String START = "no hdr-sidecar in pod shop/web: ";

  private static Verdict decide(String annotations, String spec) throws Exception {
    String pod =
        """
        metadata:
          name: web
          annotations: {hdrsidecar.io/inject: "true"%s}
        spec: {%s}
        """
            .formatted(annotations, spec);
    return new Injector(YamlPod.component()).decide(YamlPod.pod(pod), false);
  }

  private static List<String> warnings(String annotations, String spec) throws Exception {
    Verdict verdict = decide(annotations, spec);
    assertThat(verdict.result()).isEqualTo(Result.IMPOSSIBLE);
    assertThat(verdict.patch()).isEmpty();
    assertThat(verdict.warnings()).isNotEmpty().allMatch(warning -> warning.startsWith(START));
    return verdict.warnings().stream().map(text -> text.substring(START.length())).toList();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          memory-limit | 1Gi500 | must be a quantity from 112Mi to 8Gi
          memory-limit | 111Mi  | must be a quantity from 112Mi to 8Gi
          memory-limit | 9Gi    | must be a quantity from 112Mi to 8Gi
          cpu-limit    | 49m    | must be a quantity from 50m to 16
          cpu-limit    | 17     | must be a quantity from 50m to 16
          image        | a b    | must be an image such as registry/hdr-sidecar:0.1.0
          sla-config-map | A_b  | must be the name of a ConfigMap
          journal      | disk   | must be emptyDir, claim:<name of a PersistentVolumeClaim> or volume:<name of a volume of the pod>
          crash-safe   | on     | must be true, or the size of the volume: must be a quantity from 2Mi to 8Gi
          crash-safe   | 1Mi    | must be true, or the size of the volume: must be a quantity from 2Mi to 8Gi
          journal      | claim: | must be emptyDir, claim:<name of a PersistentVolumeClaim> or volume:<name of a volume of the pod>
          drain        | 11m    | must be a duration from 0s to 10m, such as 15s
          drain        | 5      | must be a duration from 0s to 10m, such as 15s
          containers   | app,   | must be names of containers, separated by commas, or *
          pod-fields   | drop   | must be keep
          """)
  void decide_valueOutOfRange_namesTheAnnotationAndTheRange(
      String annotation, String value, String expected) throws Exception {
    assertThat(
            warnings(
                ", hdrsidecar.io/" + annotation + ": '" + value + "'", "containers: [{name: app}]"))
        .containsExactly(
            "metadata.annotations[hdrsidecar.io/%s]: %s: \"%s\""
                .formatted(annotation, expected, value));
  }

  @Test
  void decide_injectNeitherTrueNorFalse_namesBoth() throws Exception {
    Verdict verdict =
        new Injector(YamlPod.component())
            .decide(
                YamlPod.pod(
                    "{metadata: {generateName: web-, annotations: {hdrsidecar.io/inject: 'yes'}},"
                        + " spec: {containers: [{name: app}]}}"),
                false);

    assertThat(verdict.warnings())
        .containsExactly(
            "no hdr-sidecar in pod shop/web-*: metadata.annotations[hdrsidecar.io/inject]: must be"
                + " true or false: \"yes\"");
  }

  @Test
  void decide_unknownAnnotation_namesTheKnown() throws Exception {
    assertThat(warnings(", hdrsidecar.io/memory: 96Mi", "containers: [{name: app}]"))
        .containsExactly(
            "metadata.annotations[hdrsidecar.io/memory]: no such annotation; known after"
                + " hdrsidecar.io/: inject, image, memory-limit, cpu-limit, sla-config-map,"
                + " journal, crash-safe, containers, drain, pod-fields");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hostNetwork: true, containers: [{name: app}] | spec.hostNetwork: | use a pod network
          os: {name: windows}, containers: [{name: app}] | spec.os.name: | is for Linux
          nodeSelector: {kubernetes.io/os: windows}, containers: [{name: app}] | spec.nodeSelector.kubernetes.io/os: | is for Linux
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows]}]}]}}}, containers: [{name: app}] | spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: | is for Linux
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/os, operator: NotIn, values: [linux]}]}]}}}, containers: [{name: app}] | spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: | is for Linux
          resources: {limits: {memory: 1Gi}}, containers: [{name: app}] | spec.resources: | set resources on containers
          containers: [{name: hdr-sidecar}] | spec.containers[0].name: | does not mount run at /run/hdr; rename it
          initContainers: [{name: hdr-sidecar, volumeMounts: [{name: run, mountPath: /other}]}], containers: [{name: app}] | spec.initContainers[0].name: | rename it
          containers: [{name: app, ports: [{containerPort: 80}, {containerPort: 9925}]}] | spec.containers[0].ports[1].containerPort: | 9925 is the sidecar's port, too; use another
          containers: [{name: app}], volumes: [{name: run, hostPath: {path: /run}}] | spec.volumes[0].name: | from another source; rename it
          containers: [{name: app, volumeMounts: [{name: x, mountPath: /run/hdr}]}] | spec.containers[0].volumeMounts[0].mountPath: | volume x is mounted there; mount it elsewhere, or leave this container out with hdrsidecar.io/containers
          containers: [{name: app, volumeMounts: [{name: x, mountPath: /run/hdr/}]}] | spec.containers[0].volumeMounts[0].mountPath: | volume x is mounted there
          """)
  void decide_podWithoutRoom_namesTheFieldAndTheFix(String spec, String field, String fix)
      throws Exception {
    assertThat(warnings("", spec)).singleElement().asString().startsWith(field).contains(fix);
  }

  @Test
  void decide_namesThatThePodDoesNotHave_saysWhichItHas() throws Exception {
    String spec = "containers: [{name: app}, {name: web}], volumes: [{name: data}]";

    assertThat(warnings(", hdrsidecar.io/containers: 'app,ap'", spec))
        .containsExactly(
            "metadata.annotations[hdrsidecar.io/containers]: no such container: ap; the pod has:"
                + " app, web");
    assertThat(
            warnings(
                ", hdrsidecar.io/crash-safe: 'true'",
                "containers: [{name: app, volumeMounts: [{name: x, mountPath:"
                    + " /run/hdr-sidecar/crash}]}]"))
        .singleElement()
        .asString()
        .contains("/run/hdr-sidecar/crash is where the crash folder has to be, and volume x");
    assertThat(warnings(", hdrsidecar.io/journal: 'volume:dat'", spec))
        .containsExactly(
            "metadata.annotations[hdrsidecar.io/journal]: the pod has no volume dat; it has: data");
  }

  @Test
  void decide_severalProblems_namesAll() throws Exception {
    assertThat(
            warnings(
                "", "hostNetwork: true, os: {name: windows}, containers: [{name: hdr-sidecar}]"))
        .hasSize(3);
    assertThat(
            warnings(
                ", hdrsidecar.io/drain: x, hdrsidecar.io/image: '-'", "containers: [{name: app}]"))
        .hasSize(2);
  }

  @Test
  void decide_textWithLineEnds_fitsIntoOneLine() throws Exception {
    assertThat(
            warnings(
                ", hdrsidecar.io/drain: \"1\\nWARN forged" + "x".repeat(1000) + "\"",
                "containers: [{name: app}]"))
        .singleElement()
        .asString()
        .doesNotContain("\n")
        .hasSizeLessThan(256);
  }
}
