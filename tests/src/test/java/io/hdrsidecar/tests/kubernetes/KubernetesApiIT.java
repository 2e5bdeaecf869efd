package io.hdrsidecar.tests.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.kubernetes.KubernetesApi.Answer;
import io.hdrsidecar.tests.support.RequiresPrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every rendered variant before a real API server, with strict validation and Pod Security. */
@RequiresKubernetes
@RequiresPrograms("helm")
final class KubernetesApiIT {
  private static final Path DEFINITIONS = Path.of("src", "test", "resources", "kubernetes");
  private static final String RESTRICTED =
      "{pod-security.kubernetes.io/enforce: restricted, pod-security.kubernetes.io/warn:"
          + " restricted}";

  private final KubernetesApi api;

  KubernetesApiIT(KubernetesApi api) {
    this.api = api;
  }

  @BeforeAll
  static void prepare(KubernetesApi api) throws Exception {
    for (String kind : List.of("podmonitors", "prometheusrules", "servicemonitors")) {
      Path file = DEFINITIONS.resolve("monitoring.coreos.com_" + kind + ".yaml");
      // On the server's side: the definitions are too long for the annotation of the client's.
      assertThat(api.kubectl(Files.readString(file), "apply", "--server-side", "-f", "-").output())
          .contains("serverside-applied");
      api.kubectl(
          "", "wait", "--for=condition=Established", "crd/" + kind + ".monitoring.coreos.com");
    }
    api.apply(Files.readString(DEFINITIONS.resolve("strimzi.yaml")));
    api.kubectl("", "wait", "--for=condition=Established", "crd/kafkatopics.kafka.strimzi.io");
    api.createNamespace("shop", RESTRICTED);
    api.createNamespace("monitoring", "{}");
    api.createNamespace("kafka", "{}");
  }

  @Test
  void apply_everyVariant_isAccepted() throws Exception {
    Map<String, Answer> verdicts = new LinkedHashMap<>();
    for (String variant : Manifests.variants()) {
      verdicts.put(variant, api.dryRun(Manifests.rendered(variant)));
    }

    print("kubectl apply --dry-run=server --validate=strict", verdicts);
    assertThat(verdicts).isNotEmpty();
    assertThat(verdicts).allSatisfy((variant, answer) -> assertAccepted(answer));
  }

  /** With all that it can have; the pods of {@code helm test} are among it. */
  @Test
  void apply_everyChart_isAccepted(@TempDir Path folder) throws Exception {
    api.apply(Files.readString(DEFINITIONS.resolve("cert-manager.yaml")));
    for (String name : List.of("certificates", "issuers")) {
      api.kubectl("", "wait", "--for=condition=Established", "crd/" + name + ".cert-manager.io");
    }
    Map<String, Answer> verdicts = new LinkedHashMap<>();
    for (String chart : List.of(Charts.SIDECAR, Charts.INJECT, Charts.MONITORING, Charts.FLEET)) {
      verdicts.put(chart, api.dryRun(Charts.everything(chart, "shop")));
    }
    String values = "--values=" + Charts.valuesOf("fleet-kubernetes.md", folder);
    verdicts.put(
        Charts.FLEET + "'s page", api.dryRun(Charts.everything(Charts.FLEET, "shop", values)));

    print("helm template, in a namespace that enforces `restricted`", verdicts);
    assertThat(verdicts).allSatisfy((chart, answer) -> assertAccepted(answer));
  }

  /** Pods themselves, as admission only warns of workloads whose Pods it would refuse. */
  @Test
  void createPods_ofEveryVariantUnderTheRestrictedProfile_areAccepted() throws Exception {
    Map<String, Answer> verdicts = new LinkedHashMap<>();
    for (String variant : Manifests.variants()) {
      for (Object pod : Manifests.pods(Manifests.objects(Manifests.rendered(variant)), "shop")) {
        Object name = Manifests.in(Manifests.map(pod), "metadata", "name");
        verdicts.put(variant + " " + name, api.dryRun(Manifests.yaml(pod)));
      }
    }

    print("Pods in a namespace that enforces `restricted`", verdicts);
    assertThat(verdicts).isNotEmpty();
    assertThat(verdicts).allSatisfy((variant, answer) -> assertAccepted(answer));
  }

  private static void assertAccepted(Answer answer) {
    assertThat(answer.isAccepted()).as(answer.output()).isTrue();
    assertThat(answer.output()).doesNotContainIgnoringCase("warning");
  }

  /** What makes a manifest wrong is told by its field. */
  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource({
    "restartPolicy: Always, restartPolicyy: Always, restartPolicyy",
    "restartPolicy: Always, restartPolicy: Sometimes, restartPolicy",
    "containerPort: 9925, containerPort: 99250, containerPort",
    "name: hdr-sidecar-run, name: hdr-sidecar-runs, volumeMounts",
    "interval: 15s, interval: often, interval",
    "scrapeNativeHistograms, scrapeNativeHistogram, scrapeNativeHistogram",
  })
  void apply_shopWithAMistake_isRejectedNamingTheField(String right, String wrong, String field)
      throws Exception {
    String shop = Manifests.rendered("examples/shop") + "---\n" + Manifests.rendered("cluster");
    assertThat(shop).contains(right);

    Answer answer = api.dryRun(shop.replaceFirst(right, wrong));

    assertThat(answer.isAccepted()).isFalse();
    assertThat(answer.output()).contains(field);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource({
    "base, maxReplicas: 8, maxReplicas: 1, maxReplicas",
    "base, unhealthyPodEvictionPolicy, unhealthyEvictionPolicy, unhealthyEvictionPolicy",
    "base, storage: 20Gi, storage: much, quantities",
    "topics, partitions: 16, partitions: 0, partitions",
    "topics, replicas: 3, replication: 3, replication"
  })
  void apply_fleetWithAMistake_isRejectedNamingTheField(
      String part, String right, String wrong, String field) throws Exception {
    String fleet = Manifests.rendered("fleet-kafka/" + part);
    assertThat(fleet).contains(right);

    Answer answer = api.dryRun(fleet.replaceFirst(right, wrong));

    assertThat(answer.isAccepted()).isFalse();
    assertThat(answer.output()).contains(field);
  }

  @ParameterizedTest
  @CsvSource({
    "allowPrivilegeEscalation: false, allowPrivilegeEscalation: true",
    "runAsNonRoot: true, runAsNonRoot: false",
    "type: RuntimeDefault, type: Unconfined",
  })
  void createPod_lessThanRestricted_isForbidden(String right, String wrong) throws Exception {
    Map<String, Object> pod =
        Manifests.pods(Manifests.objects(Manifests.rendered("examples/shop")), "shop").get(0);
    String yaml = Manifests.yaml(pod);
    assertThat(yaml).contains(right);

    Answer answer = api.dryRun(yaml.replace(right, wrong));

    assertThat(answer.isAccepted()).isFalse();
    assertThat(answer.output()).contains("violates PodSecurity \"restricted:latest\"");
  }

  private static void print(String what, Map<String, Answer> verdicts) {
    List<String> lines = new ArrayList<>(List.of(what + ":"));
    verdicts.forEach(
        (variant, answer) ->
            lines.add(
                "  %-28s %s (%d objects)"
                    .formatted(
                        variant,
                        answer.isAccepted() ? "accepted" : "REJECTED " + answer.output(),
                        answer.output().lines().filter(line -> line.contains("dry run")).count())));
    System.out.println(String.join(System.lineSeparator(), lines));
  }
}
