package io.hdrsidecar.tests.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarJar;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** What people who run many charts expect of each: names, labels, tests, what hubs show. */
@RequiresPrograms("helm")
final class HelmReleaseIT {
  private static final String NAMESPACE = "somewhere";

  private static List<Map<String, Object>> objects(String chart, String... options)
      throws Exception {
    return Manifests.objects(Charts.everything(chart, NAMESPACE, options));
  }

  /** The example has the names of an application, and topics have those of Kafka. */
  private static List<Map<String, Object>> withoutShop(List<Map<String, Object>> objects) {
    return objects.stream()
        .filter(object -> !"KafkaTopic".equals(object.get("kind")))
        .filter(object -> !"shop".equals(Manifests.in(object, "metadata", "name")))
        .toList();
  }

  private static Map<String, Object> one(List<Map<String, Object>> objects, String kind) {
    List<Map<String, Object>> found =
        objects.stream().filter(object -> kind.equals(object.get("kind"))).toList();
    assertThat(found).as(kind).hasSize(1);
    return found.get(0);
  }

  private static Map<String, Object> test(List<Map<String, Object>> objects) {
    List<Map<String, Object>> tests = objects.stream().filter(Charts::isTest).toList();
    assertThat(tests).hasSize(1);
    return tests.get(0);
  }

  private static Map<String, Object> container(Map<String, Object> pod) {
    List<Object> containers = Manifests.list(Manifests.in(pod, "spec", "containers"));
    assertThat(containers).hasSize(1);
    return Manifests.map(containers.get(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {Charts.SIDECAR, Charts.INJECT, Charts.MONITORING, Charts.FLEET})
  void template_everyObject_hasTheLabelsOfARelease(String chart) throws Exception {
    for (Map<String, Object> object : objects(chart)) {
      assertThat(Manifests.map(Manifests.in(object, "metadata", "labels")))
          .as("%s", Manifests.in(object, "metadata"))
          .containsKeys(Charts.LABELS.toArray(String[]::new))
          .containsKey("app.kubernetes.io/name")
          .containsEntry("app.kubernetes.io/instance", "one")
          .containsEntry("app.kubernetes.io/managed-by", "Helm")
          .hasEntrySatisfying(
              "helm.sh/chart", value -> assertThat((String) value).startsWith(chart + "-0."));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Charts.SIDECAR, Charts.INJECT, Charts.MONITORING, Charts.FLEET})
  void template_fullnameOverride_isHowAllNamesBegin(String chart) throws Exception {
    assertThat(withoutShop(objects(chart, "--set=fullnameOverride=other")))
        .isNotEmpty()
        .allSatisfy(
            object ->
                assertThat((String) Manifests.in(object, "metadata", "name"))
                    .matches("other(-.+)?"));
  }

  @ParameterizedTest
  @ValueSource(strings = {Charts.SIDECAR, Charts.INJECT, Charts.MONITORING, Charts.FLEET})
  void template_nameOverride_isTheLabel(String chart) throws Exception {
    assertThat(withoutShop(objects(chart, "--set=nameOverride=other")))
        .isNotEmpty()
        .allSatisfy(
            object ->
                assertThat(
                        (String)
                            Manifests.in(object, "metadata", "labels", "app.kubernetes.io/name"))
                    .matches("other(-test)?"));
  }

  /** Services, secrets, accounts and pods find each other under any name. */
  @ParameterizedTest
  @CsvSource({
    "--set=fullnameOverride=, hdr-sidecar-inject",
    "--set=fullnameOverride=other, other",
    "--set=nameOverride=other, other"
  })
  void template_webhookUnderAnyName_holdsTogether(String option, String name) throws Exception {
    List<Map<String, Object>> objects = objects(Charts.INJECT, option);
    Map<String, Object> deployment = one(objects, "Deployment");
    Map<String, Object> pods =
        Manifests.map(Manifests.in(deployment, "spec", "template", "metadata", "labels"));
    String host = name + "." + NAMESPACE + ".svc";

    assertThat(pods).containsEntry("app.kubernetes.io/instance", "one");
    assertThat(Manifests.in(deployment, "spec", "selector", "matchLabels")).isEqualTo(pods);
    assertThat(Manifests.in(one(objects, "Service"), "spec", "selector")).isEqualTo(pods);
    for (String kind : List.of("PodDisruptionBudget", "ServiceMonitor")) {
      assertThat(Manifests.in(one(objects, kind), "spec", "selector", "matchLabels"))
          .as(kind)
          .isEqualTo(pods);
    }
    assertThat(Manifests.map(Manifests.in(one(objects, "Service"), "metadata", "labels")))
        .containsAllEntriesOf(pods);
    assertThat(Manifests.in(one(objects, "NetworkPolicy"), "spec", "podSelector", "matchLabels"))
        .isEqualTo(pods);
    assertThat(Manifests.map(Manifests.in(test(objects), "metadata", "labels")))
        .as("no Service selects it")
        .doesNotContainEntry("app.kubernetes.io/name", pods.get("app.kubernetes.io/name"));
    assertThat(Manifests.in(deployment, "spec", "template", "spec", "serviceAccountName"))
        .isEqualTo(Manifests.in(one(objects, "ServiceAccount"), "metadata", "name"));
    assertThat(Manifests.yaml(one(objects, "MutatingWebhookConfiguration")))
        .contains("inject-ca-from: " + NAMESPACE + "/" + name)
        .contains("service: {name: " + name + ", namespace: " + NAMESPACE + ",");
    assertThat(Manifests.yaml(objects))
        .contains("secretName: " + name + "-tls", "dnsNames: [" + host + "]")
        .contains("serverName: " + host, "job=\"" + name + "\"");
    assertThat(Manifests.yaml(test(objects)))
        .contains("--url=https://" + host, "secretName: " + name + "-tls");
  }

  @Test
  void template_webhookWithoutPolicyAndMonitoring_hasNone() throws Exception {
    assertThat(
            objects(
                Charts.INJECT,
                "--set=networkPolicy.enabled=false",
                "--set=serviceMonitor.enabled=false",
                "--set=prometheusRule.enabled=false"))
        .extracting(object -> object.get("kind"))
        .doesNotContain("NetworkPolicy", "ServiceMonitor", "PrometheusRule")
        .contains("Deployment");
  }

  @ParameterizedTest
  @ValueSource(strings = {Charts.SIDECAR, Charts.INJECT})
  void template_strictCluster_isMetByThePodsOfTheChart(String chart) throws Exception {
    List<Map<String, Object>> objects =
        objects(
            chart,
            "--set=imagePullSecrets[0].name=registry",
            "--set=priorityClassName=high",
            "--set=tolerations[0].operator=Exists",
            "--set=nodeSelector.pool=system");
    Object deployed = Manifests.in(one(objects, "Deployment"), "spec", "template", "spec");

    for (Object pod : List.of(deployed, Manifests.in(test(objects), "spec"))) {
      assertThat(Manifests.map(pod))
          .containsEntry("imagePullSecrets", List.of(Map.of("name", "registry")))
          .containsEntry("priorityClassName", "high")
          .containsEntry("tolerations", List.of(Map.of("operator", "Exists")))
          .containsEntry("nodeSelector", Map.of("pool", "system"));
    }
  }

  /** Nothing is pulled for it, and it is as restricted as the rest. */
  @ParameterizedTest
  @ValueSource(strings = {Charts.SIDECAR, Charts.INJECT, Charts.FLEET})
  void test_ofAChart_runsTheImageOfTheProject(String chart) throws Exception {
    Map<String, Object> container = container(test(objects(chart)));

    assertThat((String) container.get("image")).matches("hdr-sidecar(-fleet)?:0\\.\\d+\\.\\d+.*");
    assertThat(Manifests.map(Manifests.in(container, "securityContext")))
        .containsEntry("readOnlyRootFilesystem", true)
        .containsEntry("runAsNonRoot", true);
  }

  /** What the test of the sidecar's chart runs, without its container. */
  @ParameterizedTest
  @CsvSource({
    "--set=sidecar.env.HDR_SIDECAR_LOG_LEVEL=debug, 0, configuration is valid",
    "--set=sidecar.env.HDR_SIDECAR_WINDOWS=soon, 2, windows",
    "--set=slas[0].limits.100%=soon, 2, sla"
  })
  void test_ofTheSidecarsChart_failsForWhatASidecarWouldNotTake(
      String option, int code, String said, @TempDir Path folder) throws Exception {
    List<Map<String, Object>> objects = objects(Charts.SIDECAR, option);
    Map<String, Object> container = container(test(objects));
    Path rules = folder.resolve("sla.yaml");
    Files.writeString(rules, (String) Manifests.in(one(objects, "ConfigMap"), "data", "sla.yaml"));
    List<String> command = SidecarJar.command();
    Manifests.list(Manifests.in(container, "args"))
        .forEach(each -> command.add(String.valueOf(each)));
    ProcessBuilder check = Launch.builder(command).redirectErrorStream(true);
    for (Object entry : Manifests.list(Manifests.in(container, "env"))) {
      String value = String.valueOf(Manifests.map(entry).get("value"));
      check
          .environment()
          .put(
              String.valueOf(Manifests.map(entry).get("name")),
              value
                  .replace("/etc/hdr-sidecar/sla.yaml", rules.toString())
                  .replaceFirst("^/(run|var/lib)/hdr-sidecar", folder.toString()));
    }

    Process process = check.start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains(said);
    assertThat(process.waitFor()).isEqualTo(code);
  }

  /** As Artifact Hub reads them. */
  @ParameterizedTest
  @ValueSource(strings = {Charts.SIDECAR, Charts.INJECT, Charts.MONITORING, Charts.FLEET})
  void chart_annotations_areWhatArtifactHubReads(String chart) throws Exception {
    Path folder = Manifests.FOLDER.resolve("helm").resolve(chart);
    Map<String, Object> file =
        Manifests.objects(Files.readString(folder.resolve("Chart.yaml"))).get(0);
    Map<String, Object> annotations = Manifests.map(Manifests.in(file, "annotations"));

    assertThat(annotations)
        .containsEntry("artifacthub.io/category", "monitoring-logging")
        .containsEntry("artifacthub.io/license", "Apache-2.0")
        .containsEntry("artifacthub.io/prerelease", "true");
    Object images =
        new Yaml().load((String) annotations.getOrDefault("artifacthub.io/images", "[]"));
    for (Object image : Manifests.list(images)) {
      assertThat(Manifests.map(image))
          .hasEntrySatisfying("name", name -> assertThat((String) name).startsWith("hdr-sidecar"))
          .containsEntry("image", Manifests.map(image).get("name") + ":" + file.get("appVersion"));
    }
  }
}
