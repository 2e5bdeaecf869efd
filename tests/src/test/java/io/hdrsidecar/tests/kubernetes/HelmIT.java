package io.hdrsidecar.tests.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Helm chart against what kustomize makes of the same files. */
@RequiresPrograms({"helm", "kubectl"})
final class HelmIT {
  private static final Path CHART = Manifests.FOLDER.resolve("helm").resolve("hdr-sidecar");
  private static final Path INJECT_CHART = CHART.resolveSibling("hdr-sidecar-inject");
  private static final Path MONITORING_CHART = CHART.resolveSibling("hdr-sidecar-monitoring");
  private static final Path FLEET_CHART = CHART.resolveSibling("hdr-sidecar-fleet");
  private static final String SLAS = "../../examples/shop/sla.yaml";
  private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$");
  private static final List<String> EXAMPLE = List.of("--set=example.enabled=true");

  /** What in a pod's specification the sidecar alone decides. */
  private static final Set<String> SIDECARS =
      Set.of("initContainers", "volumes", "securityContext", "terminationGracePeriodSeconds");

  private static final String OTHER_CHART =
      """
      apiVersion: v2
      name: own
      version: 1.0.0
      dependencies: [{name: hdr-sidecar, version: ">=0.0.0-0"}]
      """;
  private static final String OTHER_TEMPLATE =
      """
      {{- $spec := dict "containers" (list (dict "name" "app" "image" "app:1")) }}
      {{- $sidecar := index .Subcharts "hdr-sidecar" }}
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: own}
      spec:
        template:
          metadata:
            labels: {{- include "hdr-sidecar.podLabels" $sidecar | nindent 8 }}
          spec: {{- include "hdr-sidecar.podSpec" (dict "root" $sidecar "spec" $spec) | nindent 6 }}
      """;

  private static String helm(String command, List<String> options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("helm", command));
    arguments.addAll(options);
    return Tool.run(arguments, CHART);
  }

  private static Map<String, Object> template(List<String> options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("hdr-sidecar", ".", "--namespace=shop"));
    arguments.addAll(options);
    return RenderedObjects.byName(Manifests.objects(helm("template", arguments)));
  }

  private static Map<String, Object> injectTemplate(String option) throws Exception {
    List<String> command =
        List.of("helm", "template", "inject", ".", "--namespace=hdr-sidecar", option);
    return RenderedObjects.byName(Manifests.objects(Tool.run(command, INJECT_CHART)));
  }

  private static List<String> with(List<String> options, String more) {
    List<String> all = new ArrayList<>(options);
    all.add(more);
    return all;
  }

  @Test
  void lint_strict_findsNothing() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("."));
    for (Path chart : List.of(INJECT_CHART, MONITORING_CHART, FLEET_CHART)) {
      arguments.add(chart.toRealPath().toString());
    }

    String said = helm("lint", with(arguments, "--strict"));

    assertThat(said).contains("4 chart(s) linted, 0 chart(s) failed").doesNotContain("WARNING");
  }

  @Test
  void template_everything_hasTheObjectsOfTheShopExample() throws Exception {
    Map<String, Object> ours =
        template(
            List.of(
                "--set=example.enabled=true",
                "--set=networkPolicy.enabled=true",
                "--values",
                SLAS));

    Map<String, Object> kustomized = kustomized("examples/shop");
    kustomized.remove("Namespace shop"); // made by `helm install --create-namespace`
    RenderedObjects.assertSame(ours, kustomized);
  }

  @Test
  void template_monitoring_hasTheObjectsOfTheCluster() throws Exception {
    List<String> command = List.of("helm", "template", "monitoring", ".", "--namespace=monitoring");

    RenderedObjects.assertSame(
        RenderedObjects.byName(Manifests.objects(Tool.run(command, MONITORING_CHART))),
        kustomized("cluster"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "podMonitor.interval=1m               | interval",
        "prometheusRule.grafanaUrl=grafana    | grafanaUrl",
        "dashboard.enabled=true               | dashboard",
      })
  void template_badValueOfMonitoring_isRefusedNamingIt(String value, String field) {
    List<String> command = List.of("helm", "template", "monitoring", ".", "--set=" + value);

    assertThat(
            Assertions.catchThrowableOfType(
                AssertionError.class, () -> Tool.run(command, MONITORING_CHART)))
        .hasMessageContaining(field);
  }

  @Test
  void template_annotations_hasTheObjectsOfThatVariant() throws Exception {
    RenderedObjects.assertSame(
        template(with(EXAMPLE, "--set=annotations=true")), kustomized("examples/annotations"));
  }

  @Test
  void template_notNative_hasTheObjectsOfThePlainContainerVariant() throws Exception {
    RenderedObjects.assertSame(
        template(with(EXAMPLE, "--set=sidecar.native=false")),
        kustomized("examples/plain-container"));
  }

  @Test
  void template_crashSafe_hasTheObjectsOfThatVariant() throws Exception {
    RenderedObjects.assertSame(
        template(with(EXAMPLE, "--set=sidecar.crashSafe.enabled=true")),
        kustomized("examples/crash-safe"));
  }

  @Test
  void template_upstream_hasTheObjectsOfThatVariant() throws Exception {
    RenderedObjects.assertSame(
        template(with(EXAMPLE, "--set=sidecar.upstream.enabled=true")),
        kustomized("examples/fleet"));
  }

  @Test
  void template_statsd_hasTheObjectsOfThatVariant() throws Exception {
    RenderedObjects.assertSame(
        template(with(EXAMPLE, "--set=sidecar.statsd.enabled=true")),
        kustomized("examples/statsd"));
  }

  @Test
  void template_otlp_hasTheObjectsOfThatVariant() throws Exception {
    RenderedObjects.assertSame(
        template(with(EXAMPLE, "--set=sidecar.otlp.enabled=true")), kustomized("examples/otlp"));
  }

  @Test
  void template_webhookWithCertManager_hasTheObjectsOfThatVariant() throws Exception {
    Map<String, Object> kustomized = kustomized("inject/cert-manager");
    kustomized.remove("Namespace hdr-sidecar"); // made by `helm install --create-namespace`

    RenderedObjects.assertSame(injectTemplate("--set=certificate.certManager=true"), kustomized);
  }

  /** As Argo CD renders again and again, to see whether something has changed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "hdr-sidecar",
        "hdr-sidecar-inject",
        "hdr-sidecar-monitoring",
        "hdr-sidecar-fleet"
      })
  void template_twice_isIdentical(String chart) throws Exception {
    List<String> command = List.of("helm", "template", "x", ".", "--namespace=shop");
    Path folder = CHART.resolveSibling(chart);

    assertThat(Tool.run(command, folder)).isNotEmpty().isEqualTo(Tool.run(command, folder));
  }

  @Test
  void template_imageByDigestAndFilesForTheSidecar_areInThePod() throws Exception {
    String digest = "sha256:" + "0f".repeat(32);
    Map<String, Object> spec =
        podSpec(
            template(
                List.of(
                    "--set=example.enabled=true",
                    "--set=sidecar.image.digest=" + digest,
                    "--set-json=sidecar.env={\"HDR_SIDECAR_LOG_LEVEL\":{\"configMapKeyRef\":"
                        + "{\"name\":\"log\",\"key\":\"level\"}}}",
                    "--set-json=sidecar.extraVolumes=[{\"name\":\"tls\",\"secret\":"
                        + "{\"secretName\":\"shop-tls\"}}]",
                    "--set-json=sidecar.extraVolumeMounts=[{\"name\":\"tls\","
                        + "\"mountPath\":\"/tls\"}]")),
            "Deployment shop");

    Map<String, Object> sidecar =
        Manifests.map(Manifests.list(spec.getOrDefault("initContainers", List.of())).get(0));
    assertThat(sidecar).containsEntry("image", "hdr-sidecar@" + digest);
    assertThat(Manifests.list(sidecar.getOrDefault("env", List.of())))
        .contains(
            Map.of(
                "name",
                "HDR_SIDECAR_LOG_LEVEL",
                "valueFrom",
                Map.of("configMapKeyRef", Map.of("name", "log", "key", "level"))));
    assertThat(Manifests.list(sidecar.getOrDefault("volumeMounts", List.of())))
        .contains(Map.of("name", "tls", "mountPath", "/tls"));
    assertThat(Manifests.list(spec.getOrDefault("volumes", List.of())))
        .contains(Map.of("name", "tls", "secret", Map.of("secretName", "shop-tls")));
  }

  /** Kubernetes replaces {@code $(POD_NAME)} only where that stands before it. */
  @Test
  void template_valuesOfThePageAboutExport_nameThePod(@TempDir Path values) throws Exception {
    Matcher example = YAML.matcher(Files.readString(Path.of("../docs/export.md")));
    assertThat(example.find()).isTrue();
    Path file = Files.writeString(values.resolve("values.yaml"), example.group(1));

    Map<String, Object> spec =
        podSpec(
            template(List.of("--set=example.enabled=true", "--values=" + file)), "Deployment shop");

    Map<String, Object> sidecar =
        Manifests.map(Manifests.list(spec.getOrDefault("initContainers", List.of())).get(0));
    assertThat(Manifests.list(sidecar.getOrDefault("env", List.of())))
        .containsSubsequence(
            Map.of(
                "name",
                "POD_NAME",
                "valueFrom",
                Map.of("fieldRef", Map.of("fieldPath", "metadata.name"))),
            Map.of(
                "name",
                "HDR_SIDECAR_EXPORT_OTLP_ADDRESS",
                "value",
                "http://collector.monitoring:4318"),
            Map.of("name", "OTEL_RESOURCE_ATTRIBUTES", "value", "k8s.pod.name=$(POD_NAME)"));
  }

  @Test
  void template_usersOfTheNamespace_asksForNone() throws Exception {
    String spec =
        Manifests.yaml(
            podSpec(
                template(
                    List.of(
                        "--set=example.enabled=true",
                        "--set=sidecar.runAsUser=null",
                        "--set=sidecar.fsGroup=null")),
                "Deployment shop"));

    assertThat(spec)
        .contains("runAsNonRoot: true")
        .doesNotContain("65532")
        .doesNotContain("fsGroup");
  }

  @Test
  void template_webhookOfAStrictCluster_hasWhatTheValuesSay() throws Exception {
    String digest = "sha256:" + "0f".repeat(32);
    List<String> command =
        List.of(
            "helm",
            "template",
            "inject",
            ".",
            "--set=image.digest=" + digest,
            "--set=imagePullSecrets[0].name=registry",
            "--set=priorityClassName=system-cluster-critical",
            "--set=tolerations[0].operator=Exists",
            "--set=nodeSelector.pool=system",
            "--set=certificate.caBundle=QUJD");
    Map<String, Object> objects =
        RenderedObjects.byName(Manifests.objects(Tool.run(command, INJECT_CHART)));

    Map<String, Object> spec = podSpec(objects, "Deployment hdr-sidecar-inject");
    assertThat(spec)
        .containsEntry("imagePullSecrets", List.of(Map.of("name", "registry")))
        .containsEntry("priorityClassName", "system-cluster-critical")
        .containsEntry("tolerations", List.of(Map.of("operator", "Exists")))
        .containsEntry("nodeSelector", Map.of("pool", "system"));
    assertThat(Manifests.yaml(spec)).contains("image: hdr-sidecar@" + digest);
    assertThat(objects).doesNotContainKey("Secret hdr-sidecar-inject-tls");
    assertThat(Manifests.yaml(objects)).contains("caBundle: QUJD");
  }

  /** A chart of somebody else's that has ours as a dependency. */
  @Test
  void template_fromAnotherChart_addsTheSameSidecar(@TempDir Path parent) throws Exception {
    Files.createSymbolicLink(
        Files.createDirectory(parent.resolve("charts")).resolve("hdr-sidecar"), CHART.toRealPath());
    Files.writeString(parent.resolve("Chart.yaml"), OTHER_CHART);
    Files.writeString(
        Files.createDirectory(parent.resolve("templates")).resolve("own.yaml"), OTHER_TEMPLATE);

    String yaml = Tool.run(List.of("helm", "template", "own", "."), parent);

    assertThat(podSpec(RenderedObjects.byName(Manifests.objects(yaml)), "Deployment own"))
        .containsAllEntriesOf(
            podSpec(kustomized("examples/shop"), "Deployment shop").entrySet().stream()
                .filter(entry -> SIDECARS.contains(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private static Map<String, Object> podSpec(Map<String, Object> objects, String name) {
    return Manifests.map(Manifests.in(objects, name, "spec", "template", "spec"));
  }

  private static Map<String, Object> kustomized(String variant) throws Exception {
    return RenderedObjects.byName(Manifests.objects(Manifests.rendered(variant)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "sidecar.imagee=x                      | imagee",
        "sidecar.env.INGEST_PORT=1             | INGEST_PORT",
        "sidecar.image.pullPolicy=Sometimes    | pullPolicy",
        "sidecar.terminationGracePeriodSeconds=5 | terminationGracePeriodSeconds",
        "sidecar.env.HDR_SIDECAR_HTTP_PORT=1   | HDR_SIDECAR_HTTP_PORT",
        "sidecar.fsGroup=0                     | fsGroup",
        "sidecar.resources.limits.memory=lots  | memory",
        "example.replicas=0                    | replicas",
        "slas[0].name=pay                      | slas",
        "dashboards.enabled=true               | dashboards",
      })
  void template_badValue_isRefusedNamingIt(String value, String field) {
    assertThat(refusal(List.of("--set=" + value))).contains(field);
  }

  @ParameterizedTest
  @CsvSource({"90s, 95", "2m, 125", "90500ms, 96", "1h, 3605"})
  void template_graceShorterThanDrain_isRefusedNamingBoth(String drain, int least) {
    assertThat(
            refusal(
                List.of(
                    "--set=example.enabled=true",
                    "--set=sidecar.env.HDR_SIDECAR_DRAIN=" + drain,
                    "--set=sidecar.terminationGracePeriodSeconds=90")))
        .contains(
            "sidecar.terminationGracePeriodSeconds: 90, must be at least " + least,
            "DRAIN is " + drain);
  }

  @Test
  void template_nativeBefore129_isRefusedNamingTheValueAndTheFix() {
    assertThat(refusal(List.of("--set=example.enabled=true", "--kube-version=1.28.0")))
        .contains("sidecar.native", "1.29", "false");
  }

  private static String refusal(List<String> options) {
    return String.valueOf(
        Assertions.catchThrowableOfType(AssertionError.class, () -> template(options)));
  }
}
