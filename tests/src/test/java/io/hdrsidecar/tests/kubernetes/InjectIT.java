package io.hdrsidecar.tests.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.kubernetes.KubernetesApi.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The webhook before a real API server: pods are created through the API, in namespaces that
 * enforce the restricted profile of Pod Security, and come back with the sidecar.
 */
@RequiresKubernetes
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class InjectIT {
  /** Its label asks for sidecars. */
  private static final String LABELLED = "inject-labelled";

  /** Has no label. */
  private static final String PLAIN = "inject-plain";

  private static final String RESTRICTED = "pod-security.kubernetes.io/enforce: restricted";

  private static Webhook webhook;

  private final KubernetesApi api;

  InjectIT(KubernetesApi api) {
    this.api = api;
  }

  @BeforeAll
  static void register(KubernetesApi api) throws Exception {
    webhook = Webhook.start();
    api.createNamespace(LABELLED, "{hdrsidecar.io/inject: 'true', " + RESTRICTED + "}");
    api.createNamespace(PLAIN, "{" + RESTRICTED + "}");
    api.apply(webhook.registration("hdr-sidecar-inject", List.of(LABELLED, PLAIN)));
    // The API server learns of a new webhook by and by.
    Webhook.eventually(
        () -> assertThat(hasSidecar(create(api, pod(LABELLED, ""), "--dry-run=server"))).isTrue());
    Webhook.eventually(
        () ->
            assertThat(hasSidecar(create(api, pod(PLAIN, "'true'"), "--dry-run=server"))).isTrue());
  }

  @AfterAll
  static void end(KubernetesApi api) {
    api.kubectl("", "delete", "mutatingwebhookconfiguration", "hdr-sidecar-inject");
    webhook.close();
  }

  /** A pod that the restricted profile allows. */
  private static String pod(String namespace, String inject, String... more) {
    List<String> annotations = new ArrayList<>(List.of(more));
    if (!inject.isEmpty()) {
      annotations.add("hdrsidecar.io/inject: " + inject);
    }
    return """
    apiVersion: v1
    kind: Pod
    metadata:
      generateName: web-
      namespace: %s
      labels: {app.kubernetes.io/name: web}
      annotations: {%s}
    %s
    """
        .formatted(namespace, String.join(", ", annotations), SPEC);
  }

  private static final String SPEC =
      """
      spec:
        automountServiceAccountToken: false
        initContainers:
          - name: migrate
            image: example/migrate:1
            securityContext: &restricted
              runAsNonRoot: true
              runAsUser: 1000
              allowPrivilegeEscalation: false
              capabilities: {drop: [ALL]}
              seccompProfile: {type: RuntimeDefault}
        containers:
          - name: app
            image: example/app:1
            env: [{name: MODE, value: fast}]
            securityContext: *restricted
          - name: shipper
            image: example/shipper:1
            securityContext: *restricted
      """;

  private static Answer kubectlCreate(KubernetesApi api, String yaml, String... options) {
    String[] arguments = new String[4 + options.length];
    System.arraycopy(new String[] {"create", "-f", "-", "-ojson"}, 0, arguments, 0, 4);
    System.arraycopy(options, 0, arguments, 4, options.length);
    return api.kubectl(yaml, arguments);
  }

  /** The pod as the API server has it. */
  private static JsonObject create(KubernetesApi api, String yaml, String... options) {
    Answer answer = kubectlCreate(api, yaml, options);
    assertThat(answer.isAccepted()).as(answer.output()).isTrue();
    assertThat(answer.output()).doesNotContain("Warning");
    return new JsonObject(answer.output());
  }

  private JsonObject create(String yaml) {
    return create(api, yaml);
  }

  private static boolean hasSidecar(JsonObject pod) {
    return named(pod, "initContainers", "hdr-sidecar") == 1;
  }

  private static long named(JsonObject pod, String list, String name) {
    return pod.getJsonObject("spec").getJsonArray(list, new JsonArray()).stream()
        .filter(each -> ((JsonObject) each).getString("name").equals(name))
        .count();
  }

  @Test
  void createPod_annotated_comesBackWithTheSidecarTwiceTheSame() {
    JsonObject first = create(pod(PLAIN, "'true'"));
    JsonObject second = create(pod(PLAIN, "'true'"));

    assertThat(first.getJsonObject("spec").getJsonArray("initContainers").getJsonObject(0).getMap())
        .containsEntry("name", "hdr-sidecar")
        .containsEntry("restartPolicy", "Always");
    assertThat(named(first, "volumes", "hdr-sidecar-run")).isEqualTo(1);
    assertThat(second.getJsonObject("spec")).isEqualTo(first.getJsonObject("spec"));
  }

  @Test
  void createPod_thatHasTheSidecar_comesBackAsItWas() throws Exception {
    JsonObject first = create(pod(LABELLED, ""));
    double present = webhook.counted("present");
    JsonObject again =
        new JsonObject()
            .put("apiVersion", "v1")
            .put("kind", "Pod")
            .put(
                "metadata",
                new JsonObject()
                    .put("generateName", "again-")
                    .put("namespace", LABELLED)
                    .put("labels", first.getJsonObject("metadata").getJsonObject("labels")))
            .put("spec", first.getJsonObject("spec"));

    JsonObject second = create(again.encode());

    assertThat(second.getJsonObject("spec")).isEqualTo(first.getJsonObject("spec"));
    assertThat(webhook.counted("present") - present).isEqualTo(1);
  }

  /** One description, two ways to it: kustomize and the webhook. */
  @Test
  void createPod_ofTheSameTemplate_isWhatTheComponentMakesOfIt() throws Exception {
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "component");
    Path component = Path.of("..", "k8s", "component").toAbsolutePath().normalize();
    Files.writeString(
        folder.resolve("kustomization.yaml"),
        "resources: [deployment.yaml]\ncomponents: [%s]\n".formatted(folder.relativize(component)));
    Files.writeString(
        folder.resolve("deployment.yaml"),
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          selector: {matchLabels: {app.kubernetes.io/name: web}}
          template:
            metadata: {labels: {app.kubernetes.io/name: web}}
        %s
        """
            .formatted(SPEC.indent(4)));
    List<Map<String, Object>> pods =
        Manifests.pods(Manifests.objects(Manifests.rendered(folder.toString())), PLAIN);

    JsonObject byComponent = create(Manifests.yaml(pods.get(0)));
    JsonObject byWebhook = create(pod(PLAIN, "'true'"));

    assertThat(hasSidecar(byComponent)).isTrue();
    assertThat(spec(byWebhook)).isEqualTo(spec(byComponent));
    assertThat(byWebhook.getJsonObject("metadata").getJsonObject("labels"))
        .isEqualTo(byComponent.getJsonObject("metadata").getJsonObject("labels"));
  }

  /** The order of volumes means nothing. */
  private static Map<String, Object> spec(JsonObject pod) {
    JsonObject spec = pod.getJsonObject("spec").copy();
    List<JsonObject> volumes =
        spec.getJsonArray("volumes").stream()
            .map(JsonObject.class::cast)
            .sorted(Comparator.comparing(volume -> volume.getString("name")))
            .toList();
    return spec.put("volumes", volumes).getMap();
  }

  @Test
  void createPod_inNamespaces_doesWhatThePodOrElseTheNamespaceWants() {
    assertThat(hasSidecar(create(pod(LABELLED, "")))).isTrue();
    assertThat(hasSidecar(create(pod(LABELLED, "'false'")))).isFalse();
    assertThat(hasSidecar(create(pod(PLAIN, "")))).isFalse();
    assertThat(hasSidecar(create(pod(PLAIN, "'true'")))).isTrue();
  }

  @Test
  void createPod_withOverrides_isAccepted() {
    JsonObject pod =
        create(
            pod(
                PLAIN,
                "'true'",
                "hdrsidecar.io/memory-limit: 256Mi",
                "hdrsidecar.io/cpu-limit: 500m",
                "hdrsidecar.io/sla-config-map: rules",
                "hdrsidecar.io/journal: 'claim:journal'",
                "hdrsidecar.io/crash-safe: 64Mi",
                "hdrsidecar.io/containers: '*'",
                "hdrsidecar.io/drain: 5s",
                "hdrsidecar.io/image: 'registry.example/hdr-sidecar:1'"));

    JsonObject sidecar = pod.getJsonObject("spec").getJsonArray("initContainers").getJsonObject(0);
    assertThat(sidecar.getString("image")).isEqualTo("registry.example/hdr-sidecar:1");
    assertThat(sidecar.getJsonObject("resources").getJsonObject("limits").getMap())
        .isEqualTo(Map.of("cpu", "500m", "memory", "256Mi"));
  }

  @Test
  void createPod_ofJob_isAccepted() {
    JsonObject pod =
        create(pod(PLAIN, "'true'").replace("\nspec:\n", "\nspec:\n  restartPolicy: Never\n"));

    assertThat(hasSidecar(pod)).isTrue();
    assertThat(pod.getJsonObject("spec").getString("restartPolicy")).isEqualTo("Never");
  }

  @Test
  void createPod_withMistake_isCreatedAndKubectlShowsTheFieldAndTheFix() {
    Answer answer = kubectlCreate(api, pod(PLAIN, "'true'", "hdrsidecar.io/memory-limit: 5Ti"));

    assertThat(answer.isAccepted()).isTrue();
    assertThat(answer.output())
        .startsWith(
            "Warning: no hdr-sidecar in pod inject-plain/web-*:"
                + " metadata.annotations[hdrsidecar.io/memory-limit]: must be a quantity from 112Mi"
                + " to 8Gi: \"5Ti\"");
    assertThat(hasSidecar(new JsonObject(answer.output().substring(answer.output().indexOf('{')))))
        .isFalse();
    assertThat(webhook.output()).contains("event=not_injected");
  }

  @Test
  void createPod_changedByALaterWebhook_isReviewedAgainAndLeftAsItIs() throws Exception {
    String namespace = "inject-reviewed-again";
    api.createNamespace(namespace, "{hdrsidecar.io/inject: 'true', " + RESTRICTED + "}");
    try (LabellingWebhook later = new LabellingWebhook(webhook)) {
      api.apply(webhook.registration("a-first", List.of(namespace)));
      api.apply(later.registration(namespace));
      Webhook.eventually(
          () -> {
            double present = webhook.counted("present");
            JsonObject tried = create(api, pod(namespace, ""), "--dry-run=server");
            assertThat(tried.encode()).contains("labelled-later");
            assertThat(webhook.counted("present") - present).isEqualTo(1);
          });
      double injected = webhook.counted("injected");
      double present = webhook.counted("present");

      JsonObject pod = create(pod(namespace, ""));

      assertThat(webhook.counted("injected") - injected).isEqualTo(1);
      assertThat(webhook.counted("present") - present).isEqualTo(1);
      assertThat(pod.getJsonObject("spec"))
          .isEqualTo(create(pod(LABELLED, "")).getJsonObject("spec"));
    } finally {
      api.kubectl("", "delete", "mutatingwebhookconfiguration", "a-first", "z-later");
    }
  }

  @Test
  void createPod_whileTheWebhookIsAway_isCreatedWithoutSidecar() throws Exception {
    String namespace = "inject-away";
    api.createNamespace(namespace, "{hdrsidecar.io/inject: 'true', " + RESTRICTED + "}");
    try (Webhook other = Webhook.start()) {
      api.apply(other.registration("inject-away", List.of(namespace)));
      Webhook.eventually(
          () ->
              assertThat(hasSidecar(create(api, pod(namespace, ""), "--dry-run=server"))).isTrue());

      assertThat(other.terminate()).isZero();

      assertThat(hasSidecar(create(pod(namespace, "")))).isFalse();
    } finally {
      api.kubectl("", "delete", "mutatingwebhookconfiguration", "inject-away");
    }
  }

  @Test
  void createPod_inNamespaceThatIsAnnotated_getsTheSidecarByThePolicy() throws Exception {
    String namespace = "inject-annotated";
    api.createNamespace(namespace, "{" + RESTRICTED + "}");
    api.kubectl("", "annotate", "namespace", namespace, "hdrsidecar.io/inject=true");
    Path policy = webhook.manifests().resolve("namespace-annotation").resolve("policy.yaml");
    api.apply(Files.readString(policy));
    try {
      api.apply(webhook.registration("inject-annotated", List.of(namespace)));

      Webhook.eventually(
          () ->
              assertThat(hasSidecar(create(api, pod(namespace, ""), "--dry-run=server"))).isTrue());
      assertThat(hasSidecar(create(pod(namespace, "'false'")))).isFalse();
      assertThat(hasSidecar(create(pod(PLAIN, "")))).isFalse();
    } finally {
      api.kubectl("", "delete", "mutatingwebhookconfiguration", "inject-annotated");
      api.kubectl(Files.readString(policy), "delete", "-f", "-");
    }
  }

  @Test
  void applyManifests_ofEitherVariant_areAcceptedAndTheirPodsRestricted() throws Exception {
    api.apply(Files.readString(Path.of("src/test/resources/kubernetes/cert-manager.yaml")));
    for (String name : List.of("certificates", "issuers")) {
      api.kubectl("", "wait", "--for=condition=Established", "crd/" + name + ".cert-manager.io");
    }
    Path manifests = webhook.manifests();
    api.apply(Files.readString(manifests.resolve("base").resolve("namespace.yaml")));
    for (String variant : List.of("self-signed", "cert-manager")) {
      String rendered = Manifests.rendered(manifests.resolve(variant).toString());
      Answer answer = api.dryRun(rendered);
      assertThat(answer.isAccepted()).as(answer.output()).isTrue();
      assertThat(answer.output()).doesNotContainIgnoringCase("warning");
      List<Map<String, Object>> objects = Manifests.objects(rendered);
      objects.stream()
          .filter(object -> "ServiceAccount".equals(object.get("kind")))
          .forEach(account -> api.apply(Manifests.yaml(account)));
      List<Map<String, Object>> pods = Manifests.pods(objects, "hdr-sidecar");
      assertThat(pods).hasSize(1);
      assertThat(hasSidecar(create(api, Manifests.yaml(pods.get(0)), "--dry-run=server")))
          .isFalse();
    }
  }
}
