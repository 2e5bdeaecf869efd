package io.hdrsidecar.tests.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.sidecar.Main;
import io.hdrsidecar.tests.support.FleetProcesses;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.Tool;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Variables, arguments, files and ports of the fleet's manifests, given to the programs themselves,
 * which refuse a variable {@code HDR_SIDECAR_*} that is no setting of theirs.
 */
@RequiresPrograms({"helm", "kubectl"})
final class FleetSettingsIT {
  private static final String GATEWAY = "Deployment hdr-sidecar-fleet-gateway";
  private static final String NODE = "StatefulSet hdr-sidecar-fleet-node";

  /** Where manifests mount Secrets. */
  private static final String MOUNTED = "/etc/hdr-sidecar-fleet";

  private static final Pattern VARIABLE = Pattern.compile("HDR_SIDECAR_[A-Z0-9_]+");

  @TempDir private Path folder = Path.of("");

  /** What is in the Secrets, made by the webhook's command, which knows how. */
  @BeforeEach
  void makeSecrets() throws Exception {
    Path tls = folder.resolve("tls");
    Tool.run(
        Launch.program(
            List.of(),
            Main.class,
            List.of("inject", "certificates", "--dns=fleet.monitoring", "--out=" + tls)),
        folder);
    Files.writeString(Files.createDirectory(folder.resolve("token")).resolve("token"), "secret\n");
    Files.writeString(
        Files.createDirectory(folder.resolve("kafka")).resolve("client.properties"), "");
  }

  private static Map<String, Object> objects(String from) throws Exception {
    return RenderedObjects.byName(
        Manifests.objects(
            from.equals("kustomize")
                ? Manifests.rendered("fleet-kafka/base")
                : Charts.everything(Charts.FLEET, "monitoring")));
  }

  private static Map<String, Object> container(Map<String, Object> objects, String workload) {
    Object containers = Manifests.in(objects, workload, "spec", "template", "spec", "containers");
    return Manifests.map(Manifests.list(containers).get(0));
  }

  /** By name, those of the ConfigMap first, with the files of this test, and the pod's name. */
  private Map<String, String> variables(Map<String, Object> objects, String workload) {
    Map<String, String> variables = new TreeMap<>();
    Manifests.map(Manifests.in(objects, "ConfigMap hdr-sidecar-fleet", "data"))
        .forEach((name, value) -> variables.put(name, String.valueOf(value)));
    for (Object each : Manifests.list(Manifests.in(container(objects, workload), "env"))) {
      Map<String, Object> variable = Manifests.map(each);
      variables.put(
          String.valueOf(variable.get("name")),
          String.valueOf(variable.get("value"))
              .replace("$(POD_NAME)", "pod-0") // as a kubelet does
              .replace(MOUNTED, folder.toString()));
    }
    return variables;
  }

  private static String said(String command, Map<String, String> variables, String... options)
      throws Exception {
    List<String> arguments = new ArrayList<>(FleetProcesses.command(command));
    arguments.addAll(List.of(options));
    ProcessBuilder builder = Launch.builder(arguments);
    builder.environment().putAll(variables);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({"kustomize, " + GATEWAY, "kustomize, " + NODE, "chart, " + GATEWAY, "chart, " + NODE})
  void variables_ofManifests_areSettingsOfTheProgram(String from, String workload)
      throws Exception {
    Map<String, Object> objects = objects(from);
    List<Object> arguments = Manifests.list(Manifests.in(container(objects, workload), "args"));
    assertThat(arguments).hasSize(1);
    Map<String, String> variables = variables(objects, workload);
    assertThat(variables).hasSizeGreaterThan(6);

    assertThat(said(String.valueOf(arguments.get(0)), variables, "--check-config"))
        .isEqualToIgnoringNewLines("configuration is valid");
  }

  /** So that the test above fails when a setting is renamed. */
  @ParameterizedTest
  @CsvSource({"gateway", "node"})
  void variable_thatIsNoSetting_isRefusedNamingIt(String command) throws Exception {
    assertThat(said(command, Map.of("HDR_SIDECAR_KAFKA_PARTITION", "16"), "--check-config"))
        .contains("HDR_SIDECAR_KAFKA_PARTITION: no such setting");
  }

  /** Those that the chart sets by values of their own, and therefore not by {@code env}. */
  @Test
  void variables_thatTheChartDoesNotTake_areSettings() throws Exception {
    String schema =
        Files.readString(Manifests.FOLDER.resolve("helm/hdr-sidecar-fleet/values.schema.json"));
    String flags = said("gateway", Map.of(), "--help") + said("node", Map.of(), "--help");
    List<String> names =
        VARIABLE.matcher(schema).results().map(MatchResult::group).distinct().toList();

    assertThat(names).hasSizeGreaterThan(4);
    assertThat(names)
        .allSatisfy(
            name ->
                assertThat(flags)
                    .contains(
                        name.replace("HDR_SIDECAR_", "--")
                            .replace('_', '-')
                            .toLowerCase(Locale.ROOT)));
  }

  /** Manifests leave ports as they are by default; probes and Services go to them by name. */
  @ParameterizedTest
  @CsvSource({
    "gateway, " + GATEWAY + ", Service hdr-sidecar-fleet-gateway",
    "node, " + NODE + ", Service hdr-sidecar-fleet-node"
  })
  void ports_ofContainersServicesAndPolicies_areThoseOfTheProgram(
      String command, String workload, String service) throws Exception {
    Map<String, Object> objects = objects("kustomize");
    String help = said(command, Map.of(), "--help");
    Map<String, Integer> ports = new TreeMap<>();
    for (Object each : Manifests.list(Manifests.in(container(objects, workload), "ports"))) {
      Map<String, Object> port = Manifests.map(each);
      ports.put(String.valueOf(port.get("name")), (Integer) port.get("containerPort"));
    }

    assertThat(ports).containsKey("http");
    ports.forEach(
        (name, number) ->
            assertThat(help).containsPattern("--" + name + "-port=<port>[^-]*" + number));
    for (Object each : Manifests.list(Manifests.in(objects, service, "spec", "ports"))) {
      Map<String, Object> port = Manifests.map(each);
      assertThat(ports).containsEntry(String.valueOf(port.get("targetPort")), number(port));
    }
    assertThat(policyPorts(objects, workload)).isEqualTo(new TreeSet<>(ports.values()));
    for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      assertThat(Manifests.in(container(objects, workload), probe, "httpGet", "port"))
          .isEqualTo("http");
    }
  }

  private static Integer number(Map<String, Object> port) {
    return (Integer) port.getOrDefault("port", 0);
  }

  private static Set<Integer> policyPorts(Map<String, Object> objects, String workload) {
    Set<Integer> ports = new TreeSet<>();
    String policy = "NetworkPolicy " + workload.split(" ", 2)[1];
    for (Object rule : Manifests.list(Manifests.in(objects, policy, "spec", "ingress"))) {
      for (Object port : Manifests.list(Manifests.in(Manifests.map(rule), "ports"))) {
        ports.add(number(Manifests.map(port)));
      }
    }
    return ports;
  }
}
