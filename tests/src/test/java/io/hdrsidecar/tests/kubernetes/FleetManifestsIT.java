package io.hdrsidecar.tests.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.RequiresPrograms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gateways, nodes and topics of the fleet: what must agree, in kustomize and in the chart. */
@RequiresPrograms({"helm", "kubectl"})
final class FleetManifestsIT {
  private static final String PARTITIONS = "HDR_SIDECAR_KAFKA_PARTITIONS";

  private static Map<String, Object> kustomized() throws Exception {
    return RenderedObjects.byName(
        Manifests.objects(
            Manifests.rendered("fleet-kafka/base")
                + "---\n"
                + Manifests.rendered("fleet-kafka/topics")
                + "---\n"
                + Manifests.rendered("fleet-kafka/monitoring")));
  }

  private static Map<String, Object> chart(String... options) throws Exception {
    return RenderedObjects.byName(
        Manifests.objects(Charts.everything(Charts.FLEET, "monitoring", options)));
  }

  private static Object labels(Map<String, Object> objects, String workload) {
    return Manifests.in(objects, workload, "spec", "template", "metadata", "labels");
  }

  private static void assertPartitions(Map<String, Object> objects, int expected, String prefix) {
    assertThat(Manifests.in(objects, "ConfigMap hdr-sidecar-fleet", "data", PARTITIONS))
        .asString()
        .isEqualTo(String.valueOf(expected));
    for (String topic : List.of("intervals", "series")) {
      assertThat(Manifests.in(objects, "KafkaTopic " + prefix + "." + topic, "spec", "partitions"))
          .isEqualTo(expected);
    }
  }

  @Test
  void template_everything_hasTheObjectsOfKustomize() throws Exception {
    RenderedObjects.assertSame(chart(), kustomized());
  }

  /** Who reckons with other partitions than the topics have would not start. */
  @Test
  void partitions_ofBothTopics_areThoseThatGatewaysAndNodesReckonWith() throws Exception {
    assertPartitions(kustomized(), 16, "hdr");
    assertPartitions(chart("--set=kafka.partitions=24", "--set=kafka.topicPrefix=eu"), 24, "eu");
  }

  @Test
  void example_itsAddress_isTheServiceOfGateways() throws Exception {
    Map<String, Object> service =
        Manifests.map(Manifests.in(kustomized(), "Service hdr-sidecar-fleet-gateway", "metadata"));

    assertThat(Manifests.rendered("examples/fleet-kafka"))
        .contains(
            "value: tls://" + service.get("name") + "." + service.get("namespace") + ":9924\n");
  }

  /** Services, budgets, policies and the autoscaler find the pods under any name. */
  @ParameterizedTest
  @CsvSource({
    "--set=fullnameOverride=, hdr-sidecar-fleet, hdr-sidecar-fleet",
    "--set=fullnameOverride=other, other, hdr-sidecar-fleet",
    "--set=nameOverride=other, other, other"
  })
  void template_underAnyName_holdsTogether(String option, String fullname, String name)
      throws Exception {
    Map<String, Object> objects = chart(option);

    for (String part : List.of("Deployment gateway", "StatefulSet node")) {
      String kind = part.split(" ", 2)[0];
      String called = fullname + "-" + part.split(" ", 2)[1];
      Map<String, Object> pods = Manifests.map(labels(objects, kind + " " + called));
      assertThat(pods).containsEntry("app.kubernetes.io/name", name);
      for (String selects : List.of(kind, "PodDisruptionBudget")) {
        assertThat(Manifests.in(objects, selects + " " + called, "spec", "selector", "matchLabels"))
            .as(selects)
            .isEqualTo(pods);
      }
      assertThat(Manifests.in(objects, "Service " + called, "spec", "selector")).isEqualTo(pods);
      assertThat(
              Manifests.in(
                  objects, "NetworkPolicy " + called, "spec", "podSelector", "matchLabels"))
          .isEqualTo(pods);
      assertThat(
              Manifests.map(
                  Manifests.in(
                      objects, "PodMonitor " + fullname, "spec", "selector", "matchLabels")))
          .isEqualTo(Map.of("app.kubernetes.io/name", name));
    }
    String gateway = fullname + "-gateway";
    assertThat(
            Manifests.in(
                objects, "HorizontalPodAutoscaler " + gateway, "spec", "scaleTargetRef", "name"))
        .isEqualTo(gateway);
    assertThat(Manifests.in(objects, "StatefulSet " + fullname + "-node", "spec", "serviceName"))
        .isEqualTo(fullname + "-node");
    assertThat(Manifests.yaml(objects)).contains("configMapRef: {name: " + fullname + "}");
  }

  /** Processor time, by which it is scaled anyway, stays. */
  @Test
  void autoscaler_withTheMetricOfThePage_looksAtConnectionsAsWell(@TempDir Path folder)
      throws Exception {
    Object metrics =
        Manifests.in(
            chart("--values=" + Charts.valuesOf("fleet-kubernetes.md", folder)),
            "HorizontalPodAutoscaler hdr-sidecar-fleet-gateway",
            "spec",
            "metrics");

    assertThat(Manifests.list(metrics)).hasSize(2);
    assertThat(Manifests.yaml(Manifests.list(metrics).get(0))).contains("name: cpu");
    assertThat(Manifests.yaml(Manifests.list(metrics).get(1)))
        .contains("type: Pods", "name: hdr_sidecar_connections", "averageValue: '145'");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "kafka.partitions=0                          | partitions",
        "kafka.bootstrapServers=broker               | bootstrapServers",
        "kafka.topicPrefix=Fleet                     | topicPrefix",
        "node.replicas=1                             | node.replicas: 1, must be more than",
        "gateway.maxReplicas=1                       | gateway.maxReplicas: 1, must be at least",
        "gateway.metrics[0].type=Connections         | metrics",
        "gateway.terminationGracePeriodSeconds=20    | terminationGracePeriodSeconds",
        "node.storage=much                           | storage",
        "prometheusRule.grafanaUrl=grafana           | grafanaUrl",
        "node.env.HDR_SIDECAR_KAFKA_PARTITIONS=8     | HDR_SIDECAR_KAFKA_PARTITIONS",
        "nodes.replicas=5                            | nodes",
      })
  void template_badValue_isRefusedNamingIt(String value, String said) {
    assertThat(Assertions.catchThrowableOfType(AssertionError.class, () -> chart("--set=" + value)))
        .hasMessageContaining(said);
  }
}
