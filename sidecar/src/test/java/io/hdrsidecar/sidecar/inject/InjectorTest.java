package io.hdrsidecar.sidecar.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdrsidecar.sidecar.inject.Verdict.Result;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pods get a sidecar, and what they look like then. */
class InjectorTest {
  private Injector injector;

  @BeforeEach
  void makeInjector() throws Exception {
    injector = new Injector(YamlPod.component());
  }

  private Verdict decide(String yaml, boolean byDefault) throws Exception {
    return injector.decide(YamlPod.pod(yaml), byDefault);
  }

  /** The pod as it is created in the end. */
  private JsonNode created(String yaml) throws Exception {
    Verdict verdict = decide(yaml, false);
    assertThat(verdict.warnings()).isEmpty();
    assertThat(verdict.result()).isEqualTo(Result.INJECTED);
    return YamlPod.patched(YamlPod.node(yaml), verdict.patch());
  }

  private static String plain(String annotations) {
    return """
    metadata:
      name: web
      annotations: {%s}
    spec:
      containers:
        - name: app
    """
        .formatted(annotations);
  }

  @Test
  void decide_bareAnnotatedPod_addsTheWholeComponent() throws Exception {
    JsonNode pod = created(plain("hdrsidecar.io/inject: 'true'"));

    assertThat(pod)
        .isEqualTo(
            YamlPod.node(
                """
                metadata:
                  name: web
                  annotations:
                    hdrsidecar.io/inject: 'true'
                    example.com/scrape: "yes"
                  labels:
                    hdrsidecar.io/sidecar: "true"
                spec:
                  terminationGracePeriodSeconds: 65
                  securityContext:
                    fsGroup: 4711
                  initContainers:
                    - name: hdr-sidecar
                      image: hdr-sidecar:1
                      restartPolicy: Always
                      ports:
                        - containerPort: 9925
                      env:
                        - {name: HDR_SIDECAR_JOURNAL_DIRECTORY, value: /journal/files}
                        - {name: HDR_SIDECAR_SLA_FILE, value: /config/sla.yaml}
                        - {name: HDR_SIDECAR_DRAIN, value: 30s}
                      resources:
                        requests: {cpu: 20m, memory: 96Mi}
                        limits: {cpu: "1", memory: 96Mi}
                      volumeMounts:
                        - {name: run, mountPath: /run/hdr}
                        - {name: journal, mountPath: /journal}
                        - {name: config, mountPath: /config, readOnly: true}
                  containers:
                    - name: app
                      env:
                        - {name: ADDRESS, value: "unix:///run/hdr/sock"}
                        - name: POD
                          valueFrom: {fieldRef: {fieldPath: metadata.name}}
                      volumeMounts:
                        - {name: run, mountPath: /run/hdr}
                  volumes:
                    - name: run
                      emptyDir: {sizeLimit: 64Mi}
                    - name: journal
                      emptyDir: {sizeLimit: 256Mi}
                    - name: config
                      configMap: {name: rules, optional: true}
                """));
  }

  /** A Job's pod with everything of its own that could be touched. */
  private static final String FULL =
      """
      metadata:
        generateName: report-
        labels: {hdrsidecar.io/sidecar: "false", app: report}
        annotations: {hdrsidecar.io/inject: "true", example.com/scrape: "no"}
      spec:
        restartPolicy: Never
        terminationGracePeriodSeconds: 600
        securityContext: {fsGroup: 1, runAsUser: 2}
        initContainers:
          - name: migrate
            env: [{name: A, value: b}]
          - name: proxy
            restartPolicy: Always
        containers:
          - name: app
            env:
              - {name: ADDRESS, value: "tcp://elsewhere:1"}
            volumeMounts:
              - {name: data, mountPath: /data}
          - name: shipper
        volumes:
          - name: data
            emptyDir: {}
      """;

  @Test
  void decide_fullPod_keepsWhatIsThere() throws Exception {
    JsonNode pod = created(FULL);

    assertThat(pod.at("/metadata/labels/hdrsidecar.io~1sidecar").asText()).isEqualTo("false");
    assertThat(pod.at("/metadata/annotations/example.com~1scrape").asText()).isEqualTo("no");
    assertThat(pod.at("/spec/restartPolicy").asText()).isEqualTo("Never");
    assertThat(pod.at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(635);
    assertThat(pod.at("/spec/securityContext"))
        .isEqualTo(YamlPod.node("{fsGroup: 1, runAsUser: 2}"));
    assertThat(pod.at("/spec/containers"))
        .isEqualTo(
            YamlPod.node(
                """
                - name: app
                  env:
                    - {name: ADDRESS, value: "tcp://elsewhere:1"}
                    - name: POD
                      valueFrom: {fieldRef: {fieldPath: metadata.name}}
                  volumeMounts:
                    - {name: data, mountPath: /data}
                    - {name: run, mountPath: /run/hdr}
                - name: shipper
                """));
    assertThat(pod.at("/spec/volumes/0")).isEqualTo(YamlPod.node("{name: data, emptyDir: {}}"));
  }

  @Test
  void decide_podWithInitContainers_startsTheSidecarFirst() throws Exception {
    JsonNode containers = created(FULL).at("/spec/initContainers");

    assertThat(containers).hasSize(3);
    assertThat(containers.at("/0/name").asText()).isEqualTo("hdr-sidecar");
    assertThat(containers.at("/0/restartPolicy").asText()).isEqualTo("Always");
    assertThat(containers.get(1))
        .isEqualTo(YamlPod.node("{name: migrate, env: [{name: A, value: b}]}"));
    assertThat(containers.get(2)).isEqualTo(YamlPod.node("{name: proxy, restartPolicy: Always}"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void decide_podThatWasInjected_isLeftAsItIs(boolean byDefault) throws Exception {
    JsonNode once = created(FULL);

    Verdict again = injector.decide(YamlPod.pod(once), byDefault);

    assertThat(again.result()).isEqualTo(Result.PRESENT);
    assertThat(again.patch()).isEmpty();
    assertThat(again.warnings()).isEmpty();
  }

  @Test
  void decide_injectedPodAnotherWebhookPutSomethingInFrontOf_isLeftAsItIs() throws Exception {
    JsonNode once = created(FULL);
    ((com.fasterxml.jackson.databind.node.ArrayNode) once.at("/spec/initContainers"))
        .insert(0, YamlPod.node("{name: mesh, restartPolicy: Always}"));

    assertThat(injector.decide(YamlPod.pod(once), true).result()).isEqualTo(Result.PRESENT);
  }

  @Test
  void decide_noAnnotation_doesWhatTheNamespaceWants() throws Exception {
    assertThat(decide(plain(""), true).result()).isEqualTo(Result.INJECTED);
    assertThat(decide(plain(""), false)).isEqualTo(Verdict.of(Result.NOT_WANTED));
  }

  @Test
  void decide_annotatedFalse_comesBeforeTheNamespaceAndAllElse() throws Exception {
    String pod = plain("hdrsidecar.io/inject: 'false', hdrsidecar.io/drain: nonsense");

    assertThat(decide(pod, true)).isEqualTo(Verdict.of(Result.NOT_WANTED));
  }

  @Test
  void decide_mirrorOfStaticPod_isLeftAlone() throws Exception {
    String pod = plain("hdrsidecar.io/inject: 'true', kubernetes.io/config.mirror: abc");

    assertThat(decide(pod, true)).isEqualTo(Verdict.of(Result.NOT_WANTED));
  }

  @Test
  void decide_otherAnnotationsWithoutInject_warnsUnlessTheNamespaceWants() throws Exception {
    String pod = plain("hdrsidecar.io/drain: 10s");

    assertThat(decide(pod, true).result()).isEqualTo(Result.INJECTED);
    assertThat(decide(pod, false).warnings())
        .containsExactly(
            "no hdr-sidecar in pod shop/web: metadata.annotations[hdrsidecar.io/inject]: is"
                + " missing, and other annotations ask for a sidecar; set it to \"true\" or"
                + " \"false\"");
  }

  @Test
  void decide_componentWithPlainContainer_addsItBehindTheOthers() throws Exception {
    Component component = YamlPod.component();
    Component plain =
        new Component(
            component.sidecar(),
            false,
            component.volumes(),
            component.env(),
            component.mounts(),
            component.securityContext(),
            component.graceSeconds(),
            component.labels(),
            component.annotations(),
            component.crashFolder());

    Verdict verdict = new Injector(plain).decide(YamlPod.pod(FULL), false);

    JsonNode pod = YamlPod.patched(YamlPod.node(FULL), verdict.patch());
    assertThat(pod.at("/spec/initContainers")).hasSize(2);
    assertThat(pod.at("/spec/containers").findValuesAsText("name"))
        .containsSubsequence("app", "shipper", "hdr-sidecar");
    assertThat(pod.at("/spec/containers/2")).isEqualTo(YamlPod.node(component.sidecar().encode()));
    assertThat(new Injector(plain).decide(YamlPod.pod(pod), true).result())
        .isEqualTo(Result.PRESENT);
  }

  @Test
  void decide_allOverrides_changesTheSidecarOfThisPodOnly() throws Exception {
    JsonNode pod =
        created(
            plain(
                """
                hdrsidecar.io/inject: 'true', hdrsidecar.io/image: 'registry.example:5000/a/b:2',
                hdrsidecar.io/memory-limit: 256Mi, hdrsidecar.io/cpu-limit: 500m,
                hdrsidecar.io/sla-config-map: our-rules, hdrsidecar.io/journal: 'claim:disk-1',
                hdrsidecar.io/drain: 2m\
                """));

    assertThat(pod.at("/spec/initContainers/0"))
        .isEqualTo(
            YamlPod.node(
                """
                name: hdr-sidecar
                image: registry.example:5000/a/b:2
                restartPolicy: Always
                ports:
                  - containerPort: 9925
                env:
                  - {name: HDR_SIDECAR_JOURNAL_DIRECTORY, value: /journal/files}
                  - {name: HDR_SIDECAR_SLA_FILE, value: /config/sla.yaml}
                  - {name: HDR_SIDECAR_DRAIN, value: 120000ms}
                resources:
                  requests: {cpu: 20m, memory: 256Mi}
                  limits: {cpu: 500m, memory: 256Mi}
                volumeMounts:
                  - {name: run, mountPath: /run/hdr}
                  - {name: journal, mountPath: /journal}
                  - {name: config, mountPath: /config, readOnly: true}
                """));
    assertThat(pod.at("/spec/volumes"))
        .isEqualTo(
            YamlPod.node(
                """
                - {name: run, emptyDir: {sizeLimit: 64Mi}}
                - {name: journal, persistentVolumeClaim: {claimName: disk-1}}
                - {name: config, configMap: {name: our-rules, optional: true}}
                """));
    assertThat(pod.at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(65 - 30 + 120);
    assertThat(created(plain("hdrsidecar.io/inject: 'true'")).at("/spec/initContainers/0/image"))
        .isEqualTo(YamlPod.node("hdr-sidecar:1"));
  }

  @Test
  void decide_limitBelowTheRequest_lowersTheRequest() throws Exception {
    JsonNode pod =
        created(plain("hdrsidecar.io/inject: 'true', hdrsidecar.io/memory-limit: '117440512'"));

    assertThat(pod.at("/spec/initContainers/0/resources/requests/memory").asText())
        .isEqualTo("117440512");
  }

  @Test
  void decide_journalOnVolumeOfThePod_addsNoVolume() throws Exception {
    JsonNode pod =
        created(
            """
            metadata:
              name: db-0
              annotations: {hdrsidecar.io/inject: "true", hdrsidecar.io/journal: "volume:data"}
            spec:
              containers: [{name: app}]
              volumes:
                - {name: data, persistentVolumeClaim: {claimName: data-db-0}}
            """);

    assertThat(pod.at("/spec/volumes"))
        .isEqualTo(
            YamlPod.node(
                """
                - {name: data, persistentVolumeClaim: {claimName: data-db-0}}
                - {name: run, emptyDir: {sizeLimit: 64Mi}}
                - {name: config, configMap: {name: rules, optional: true}}
                """));
    assertThat(pod.at("/spec/initContainers/0/volumeMounts/1"))
        .isEqualTo(YamlPod.node("{name: data, mountPath: /journal}"));
  }

  @Test
  void decide_podFieldsKept_changesNoFieldOfTheWholePod() throws Exception {
    JsonNode pod = created(plain("hdrsidecar.io/inject: 'true', hdrsidecar.io/pod-fields: keep"));

    assertThat(pod.at("/spec").has("securityContext")).isFalse();
    assertThat(pod.at("/spec").has("terminationGracePeriodSeconds")).isFalse();
  }

  private List<String> recording(String annotations) throws Exception {
    JsonNode pod =
        created(
            """
            metadata:
              name: web
              annotations: {hdrsidecar.io/inject: "true"%s}
            spec:
              containers: [{name: mesh}, {name: app}, {name: worker}]
            """
                .formatted(annotations));
    return pod.at("/spec/containers").findParents("volumeMounts").stream()
        .filter(container -> container.has("env"))
        .map(container -> container.get("name").asText())
        .toList();
  }

  @Test
  void decide_severalContainers_givesTheSocketToThoseThatRecord() throws Exception {
    assertThat(recording("")).containsExactly("mesh");
    assertThat(recording(", kubectl.kubernetes.io/default-container: app")).containsExactly("app");
    assertThat(recording(", hdrsidecar.io/containers: 'app, worker'"))
        .containsExactly("app", "worker");
    assertThat(recording(", hdrsidecar.io/containers: '*'"))
        .containsExactly("mesh", "app", "worker");
  }

  @Test
  void decide_partsThatAreThereAlready_areNotAddedAgain() throws Exception {
    JsonNode pod =
        created(
            """
            metadata:
              name: web
              annotations: {hdrsidecar.io/inject: "true"}
            spec:
              containers:
                - name: app
                  volumeMounts: [{name: run, mountPath: /run/hdr/}]
              volumes:
                - {name: run, emptyDir: {sizeLimit: 64Mi, medium: ""}}
            """);

    assertThat(pod.at("/spec/containers/0/volumeMounts")).hasSize(1);
    assertThat(pod.at("/spec/volumes").findValuesAsText("name"))
        .containsExactly("run", "journal", "config", "rules"); // the last is of the ConfigMap
  }

  @Test
  void decide_whatIsNoPod_saysWhatAndWhere() {
    String pod =
        "{metadata: {annotations: {hdrsidecar.io/inject: 'true'}}, spec: {containers: [7]}}";

    assertThatThrownBy(() -> decide(pod, false))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessage("spec.containers[0]: must be an object: 7");
  }
}
