package io.hdrsidecar.tests.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarJar;
import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What kustomize makes of the component and of what stands beside it. */
@RequiresPrograms("kubectl")
final class ManifestsIT {
  /** Kinds of which two copies would scrape each pod, or fire each alert, twice. */
  private static final Set<String> WATCHING = Set.of("PodMonitor", "PrometheusRule");

  /** Watches gateways and nodes of the fleet alone. */
  private static final String OF_THE_FLEET = "fleet-kafka/monitoring";

  private static final Path COMPONENT = Manifests.FOLDER.resolve("component");

  /** Two containers, an init container, a volume: what people have. */
  private static final String WORKLOAD =
      """
      apiVersion: %s
      kind: %s
      metadata: {name: own, annotations: {%s}}
      spec:
        template:
          metadata: {labels: {team: blue}}
          spec:
            terminationGracePeriodSeconds: 300
            securityContext: {fsGroup: 2000, fsGroupChangePolicy: OnRootMismatch}
            initContainers: [{name: migrate, image: migrate}]
            containers:
              - {name: app, image: app, env: [{name: A, value: b}]}
              - {name: proxy, image: proxy}
            volumes: [{name: data, emptyDir: {}}]
      """;

  private final Path folder;

  ManifestsIT(@TempDir Path folder) {
    this.folder = folder;
  }

  private Map<String, Object> withComponent(String apiVersion, String kind, String annotations)
      throws Exception {
    copy(COMPONENT, folder.resolve("component"));
    Files.writeString(
        folder.resolve("own.yaml"), WORKLOAD.formatted(apiVersion, kind, annotations));
    Files.writeString(
        folder.resolve("kustomization.yaml"), "resources: [own.yaml]\ncomponents: [component]\n");
    String yaml = Tool.run(List.of("kubectl", "kustomize", folder.toString()), folder);
    List<Map<String, Object>> objects = Manifests.objects(yaml);
    assertThat(objects).as("the workload and nothing else").hasSize(1);
    return Manifests.map(Manifests.in(objects.get(0), "spec", "template"));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static List<Map<String, Object>> items(Map<String, Object> template, String... path) {
    return Manifests.list(Manifests.in(template, path)).stream().map(Manifests::map).toList();
  }

  private static Map<String, Object> variable(String name, String value) {
    return Map.of("name", name, "value", value);
  }

  private static List<Object> names(List<Map<String, Object>> items) {
    return items.stream().map(item -> item.get("name")).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "apps/v1, Deployment",
    "apps/v1, StatefulSet",
    "apps/v1, DaemonSet",
    "batch/v1, Job",
  })
  void component_anyWorkload_hasTheSidecarFirstAndKeepsWhatItHad(String apiVersion, String kind)
      throws Exception {
    Map<String, Object> template = withComponent(apiVersion, kind, "");

    assertThat(names(items(template, "spec", "initContainers")))
        .containsExactly("hdr-sidecar", "migrate");
    assertThat(items(template, "spec", "initContainers").get(0))
        .containsKeys("startupProbe", "livenessProbe") // Readiness would be that of the pod.
        .doesNotContainKey("readinessProbe");
    assertThat(names(items(template, "spec", "containers"))).containsExactly("app", "proxy");
    assertThat(names(items(template, "spec", "volumes"))).contains("data", "hdr-sidecar-run");
    assertThat(Manifests.map(Manifests.in(template, "metadata", "labels")))
        .containsEntry("team", "blue")
        .containsEntry("hdrsidecar.io/sidecar", "true");
    assertThat(Manifests.map(Manifests.in(template, "spec", "securityContext")))
        .containsEntry("fsGroup", 65532)
        .containsEntry("fsGroupChangePolicy", "OnRootMismatch");
  }

  /** client-into-app.yaml names the entries of client.yaml one by one; none may be forgotten. */
  @Test
  void component_application_getsAllOfClientYamlInItsOrderAfterItsOwn() throws Exception {
    Map<String, Object> client =
        Manifests.objects(Files.readString(COMPONENT.resolve("client.yaml"))).get(0);
    List<Object> env = new ArrayList<>(List.of(variable("A", "b")));
    env.addAll(Manifests.list(Manifests.in(client, "env")));

    List<Map<String, Object>> containers =
        items(withComponent("apps/v1", "Deployment", ""), "spec", "containers");

    assertThat(containers.get(0).get("env")).isEqualTo(env);
    assertThat(containers.get(0).get("volumeMounts")).isEqualTo(client.get("volumeMounts"));
    assertThat(containers.get(1)).containsOnlyKeys("name", "image");
  }

  @Test
  void component_podFieldsKeep_leavesGroupAndGracePeriod() throws Exception {
    Map<String, Object> template =
        withComponent("apps/v1", "Deployment", "hdrsidecar.io/pod-fields: keep");

    assertThat(Manifests.in(template, "spec", "securityContext", "fsGroup")).isEqualTo(2000);
    assertThat(Manifests.in(template, "spec", "terminationGracePeriodSeconds")).isEqualTo(300);
    assertThat(names(items(template, "spec", "initContainers"))).contains("hdr-sidecar");
  }

  @Test
  void component_injectFalse_leavesTheWorkloadAlone() throws Exception {
    Map<String, Object> template =
        withComponent("apps/v1", "Deployment", "hdrsidecar.io/inject: 'false'");

    assertThat(Manifests.objects(Manifests.yaml(template)).get(0))
        .isEqualTo(
            Manifests.in(
                Manifests.objects(WORKLOAD.formatted("apps/v1", "Deployment", "")).get(0),
                "spec",
                "template"));
  }

  /** An unknown variable, or one out of range, would keep every pod from starting. */
  @Test
  void component_itsEnvironmentAndTheRulesOfTheExample_areAcceptedByTheSidecar() throws Exception {
    Map<String, Object> sidecar =
        items(withComponent("apps/v1", "Deployment", ""), "spec", "initContainers").get(0);

    assertAccepted(
        sidecar,
        "--ingest-unix-socket=" + folder.resolve("s"),
        "--spill-folder=" + folder,
        "--sla-file=" + Manifests.FOLDER.resolve("examples/shop/sla.yaml"));
  }

  @Test
  void fleet_environmentsOfBothSides_areAcceptedByTheSidecar() throws Exception {
    Map<String, Object> above =
        Manifests.pods(Manifests.objects(Manifests.rendered("fleet")), "monitoring").get(0);
    Map<String, Object> below =
        Manifests.pods(Manifests.objects(Manifests.rendered("examples/fleet")), "shop").get(0);

    assertAccepted(
        items(above, "spec", "containers").get(0),
        "--ingest-token-file=",
        "--tls-certificate=",
        "--tls-key=");
    assertAccepted(
        items(below, "spec", "initContainers").get(0),
        "--ingest-unix-socket=" + folder.resolve("s"),
        "--spill-folder=" + folder,
        "--upstream-tls-ca=",
        "--upstream-token-file=",
        "--sla-file=" + Manifests.FOLDER.resolve("examples/shop/sla.yaml"));
  }

  /** With the sidecar's own check; folders of the container are others here. */
  private void assertAccepted(Map<String, Object> sidecar, String... folders) throws Exception {
    List<String> command =
        SidecarJar.command(
            "serve", "--check-config", "--journal-directory=" + folder.resolve("journal"));
    command.addAll(List.of(folders));
    ProcessBuilder check = Launch.builder(command);
    for (Object entry : Manifests.list(Manifests.in(sidecar, "env"))) {
      Map<String, Object> variable = Manifests.map(entry);
      check
          .environment()
          .put(
              String.valueOf(variable.get("name")),
              String.valueOf(variable.getOrDefault("value", "of the pod")));
    }

    Process process = check.start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("configuration is valid");
    assertThat(process.waitFor()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "hdr-sidecar-rules.yaml, cluster/prometheus-rule.yaml",
    "hdr-sidecar-inject-rules.yaml, inject/monitoring/prometheus-rule.yaml",
    "hdr-sidecar-fleet-rules.yaml, fleet-kafka/monitoring/prometheus-rule.yaml"
  })
  void prometheusRule_comparedWithTheRulesFile_isTheSame(String file, String made)
      throws Exception {
    Path rules = Path.of("..", "dashboards", "prometheus").resolve(file);
    Path object = Manifests.FOLDER.resolve(made);

    assertThat(Manifests.objects(Files.readString(object)).get(0).get("spec"))
        .as("run k8s/make-prometheus-rule.sh")
        .isEqualTo(Manifests.objects(Files.readString(rules)).get(0));
  }

  /** A proxy that took over this port would keep the sidecar from becoming ready before it. */
  @Test
  void mesh_itsProxies_leaveThePortOfTheSidecarAlone() throws Exception {
    Map<String, Object> pod =
        Manifests.pods(Manifests.objects(Manifests.rendered("examples/mesh")), "shop").get(0);
    Map<String, Object> sidecar = items(pod, "spec", "initContainers").get(0);

    String port = String.valueOf(items(sidecar, "ports").get(0).get("containerPort"));

    assertThat(Manifests.map(Manifests.in(pod, "metadata", "annotations")))
        .containsEntry("traffic.sidecar.istio.io/excludeInboundPorts", port)
        .containsEntry("config.linkerd.io/skip-inbound-ports", port);
  }

  /** A disk would make recording wait, and a folder of its own would hide the files. */
  @Test
  void crashSafe_applicationAndSidecar_shareOneVolumeInMemory() throws Exception {
    Map<String, Object> pod =
        Manifests.pods(Manifests.objects(Manifests.rendered("examples/crash-safe")), "shop").get(0);
    Map<String, Object> folder = variable("HDR_SIDECAR_CRASH_FOLDER", "/run/hdr-sidecar/crash");
    Map<String, Object> mount =
        Map.of("name", "hdr-sidecar-crash", "mountPath", "/run/hdr-sidecar/crash");

    for (String kind : List.of("containers", "initContainers")) {
      Map<String, Object> container = items(pod, "spec", kind).get(0);
      assertThat(items(container, "env")).as(kind).contains(folder);
      assertThat(items(container, "volumeMounts")).as(kind).contains(mount);
    }
    assertThat(items(pod, "spec", "volumes"))
        .contains(
            Map.of(
                "name",
                "hdr-sidecar-crash",
                "emptyDir",
                Map.of("medium", "Memory", "sizeLimit", "128Mi")));
  }

  /** The application is told of the socket that the sidecar opens, in a folder that both have. */
  @Test
  void statsd_applicationAndSidecar_haveOneSocket() throws Exception {
    Map<String, Object> pod =
        Manifests.pods(Manifests.objects(Manifests.rendered("examples/statsd")), "shop").get(0);
    Map<String, Object> sidecar = items(pod, "spec", "initContainers").get(0);
    Map<String, Object> application = items(pod, "spec", "containers").get(0);
    Map<String, Object> mount = Map.of("name", "hdr-sidecar-run", "mountPath", "/run/hdr-sidecar");

    assertThat(items(sidecar, "env"))
        .contains(variable("HDR_SIDECAR_STATSD_UNIX_DATAGRAM", "/run/hdr-sidecar/statsd.sock"));
    assertThat(items(application, "env"))
        .contains(variable("DD_DOGSTATSD_URL", "unix:///run/hdr-sidecar/statsd.sock"));
    assertThat(items(sidecar, "volumeMounts")).contains(mount);
    assertThat(items(application, "volumeMounts")).contains(mount);
    assertAccepted(
        sidecar,
        "--ingest-unix-socket=" + folder.resolve("s"),
        "--statsd-unix-datagram=" + folder.resolve("statsd"),
        "--spill-folder=" + folder,
        "--sla-file=" + Manifests.FOLDER.resolve("examples/shop/sla.yaml"));
  }

  /** The SDK is told of the address that the sidecar listens on, and to have base-2 buckets. */
  @Test
  void otlp_applicationAndSidecar_haveOneAddress() throws Exception {
    Map<String, Object> pod =
        Manifests.pods(Manifests.objects(Manifests.rendered("examples/otlp")), "shop").get(0);
    Map<String, Object> sidecar = items(pod, "spec", "initContainers").get(0);

    assertThat(items(sidecar, "env"))
        .contains(variable("HDR_SIDECAR_OTLP_ADDRESS", "127.0.0.1:4318"));
    assertThat(items(items(pod, "spec", "containers").get(0), "env"))
        .contains(
            variable("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://127.0.0.1:4318/v1/metrics"),
            variable(
                "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
                "base2_exponential_bucket_histogram"));
    assertAccepted(
        sidecar,
        "--ingest-unix-socket=" + folder.resolve("s"),
        "--spill-folder=" + folder,
        "--sla-file=" + Manifests.FOLDER.resolve("examples/shop/sla.yaml"));
  }

  /** Who asks for a user or a group out of the namespace's range is refused by restricted-v2. */
  @Test
  void openshift_everyContainer_takesTheUserItIsGiven() throws Exception {
    String yaml = Manifests.rendered("examples/openshift");

    assertThat(yaml)
        .contains("name: hdr-sidecar-run", "runAsNonRoot: true")
        .doesNotContainPattern("(runAsUser|runAsGroup|fsGroup|supplementalGroups):");
  }

  /** In one namespace for all of them; what a namespace has for itself watches nothing. */
  @Test
  void everyVariant_butTheClusters_hasNothingThatWatches() throws Exception {
    for (String variant : Manifests.variants()) {
      List<Map<String, Object>> watching =
          Manifests.objects(Manifests.rendered(variant)).stream()
              .filter(object -> WATCHING.contains(String.valueOf(object.get("kind"))))
              .toList();
      if (variant.equals("cluster")) {
        assertThat(watching).hasSize(WATCHING.size());
        assertThat(watching)
            .allSatisfy(
                object ->
                    assertThat(Manifests.in(object, "metadata", "namespace"))
                        .isEqualTo("monitoring"));
        assertThat(Manifests.in(watching.get(0), "spec", "namespaceSelector", "any"))
            .isEqualTo(true);
      } else if (!variant.equals(OF_THE_FLEET)) {
        assertThat(watching).as(variant).isEmpty();
      }
    }
  }

  @Test
  void images_inEveryManifest_areOfTheProjectsVersion() throws Exception {
    String version =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(Path.of("pom.xml").toFile())
            .getElementsByTagName("version")
            .item(0)
            .getTextContent();
    List<String> tags = Manifests.lines("(image|value): hdr-sidecar.*:", "newTag:");

    assertThat(tags).isNotEmpty().allMatch(line -> line.endsWith(version));
    for (String chart : Charts.ALL) {
      assertThat(Files.readString(Manifests.FOLDER.resolve("helm/" + chart + "/Chart.yaml")))
          .contains("\nversion: " + version + "\n", "\nappVersion: " + version + "\n");
    }
  }

  /** The schemas of the oldest Kubernetes with native sidecars, and of the API server's. */
  @ParameterizedTest
  @ValueSource(strings = {"1.29", "1.36"})
  void schemas_everyVariant_areMet(String version) throws Exception {
    validate(version, Manifests.variants());
  }

  @Test
  void schemas_plainContainerAndAKubernetesWithoutNativeSidecars_areMet() throws Exception {
    validate("1.25", List.of("examples/plain-container"));
  }

  private void validate(String version, List<String> variants) throws Exception {
    Tool.python("kubernetes-python", List.of("kubernetes-validate==1.37.0"));
    Path validate = Path.of("target", "kubernetes-python", "bin", "kubernetes-validate");
    List<String> command =
        new ArrayList<>(
            List.of(validate.toAbsolutePath().toString(), "-k", version, "--strict", "--no-warn"));
    for (String variant : variants) {
      Path file = folder.resolve(variant.replace('/', '-') + ".yaml");
      command.add(Files.writeString(file, Manifests.rendered(variant)).toString());
    }

    String said = Tool.run(command, folder);

    System.out.println(
        "kubernetes-validate " + version + ": " + said.lines().count() + " objects passed");
    assertThat(said.lines()).isNotEmpty().allMatch(line -> line.contains(" passed for resource "));
  }
}
