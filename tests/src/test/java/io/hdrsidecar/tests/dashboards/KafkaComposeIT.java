package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.tests.support.FleetProcesses;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarJar;
import io.hdrsidecar.tests.support.Tool;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import kafka.server.KafkaConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code k8s/compose/fleet-kafka.yaml} describes: read by the library of Compose itself, its
 * settings by gateway, node, sidecar and broker. Kafka's image is not there to have where these
 * tests must run; how it makes settings of variables is written down here.
 */
@RequiresPrograms({"compose-model", "promtool"})
final class KafkaComposeIT {
  private static final Path FILE = Path.of("../k8s/compose/fleet-kafka.yaml");
  private static final Path PROMETHEUS = FILE.resolveSibling("fleet-prometheus.yaml");
  private static final Pattern TARGET = Pattern.compile("\"([a-z0-9-]+):9925\"");

  /** Of the image's scripts, and not of the broker. */
  private static final String HEAP = "KAFKA_HEAP_OPTS";

  private final JsonObject services;
  private final Path folder;

  KafkaComposeIT(@TempDir Path folder) throws Exception {
    String model = Tool.run(List.of("compose-model", FILE.toString()), Path.of("."));
    this.services = new JsonObject(model).getJsonObject("services");
    this.folder = folder;
  }

  private Map<String, String> environment(String service) {
    Map<String, String> variables = new TreeMap<>();
    services
        .getJsonObject(service)
        .getJsonObject("environment")
        .forEach(each -> variables.put(each.getKey(), String.valueOf(each.getValue())));
    return variables;
  }

  @ParameterizedTest
  @ValueSource(strings = {"gateway", "node-1", "node-2", "sidecar-1", "sidecar-2"})
  void settings_ofEachProgram_areAccepted(String service) throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "secret\n");
    boolean isOfFleet = services.getJsonObject(service).getString("image").contains("-fleet:");
    List<String> command = new ArrayList<>();
    if (isOfFleet) {
      List<?> said = services.getJsonObject(service).getJsonArray("command").getList();
      assertThat(said).hasSize(1);
      command.addAll(FleetProcesses.command(String.valueOf(said.get(0))));
    } else {
      command.addAll(SidecarJar.command("serve"));
    }
    command.add("--check-config");
    ProcessBuilder check = Launch.builder(command);
    environment(service)
        .forEach(
            (name, value) ->
                check
                    .environment()
                    .put(
                        name,
                        value
                            .replace("/run/secrets/fleet-token", token.toString())
                            .replace("/var/lib/hdr-sidecar", folder.toString())));

    Process process = check.start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("configuration is valid");
    assertThat(process.waitFor()).isZero();
  }

  /** {@code KAFKA_LOG_DIRS} becomes {@code log.dirs}; a broker ignores what it does not know. */
  @Test
  void settings_ofTheBroker_areKnownAndTaken() {
    Map<String, Object> settings = new TreeMap<>();
    environment("kafka")
        .forEach(
            (name, value) -> {
              if (!name.equals(HEAP)) {
                String key = name.substring("KAFKA_".length()).replace('_', '.');
                settings.put(key.toLowerCase(Locale.ROOT), value);
              }
            });

    KafkaConfig config = new KafkaConfig(settings, false);

    assertThat(AbstractKafkaConfig.CONFIG_DEF.names()).containsAll(settings.keySet());
    assertThat(config.logDirs().get(0)).isEqualTo("/var/lib/kafka/data");
    assertThat(config.effectiveAdvertisedBrokerListeners().mkString(" "))
        .contains("host='kafka', port=9092");
  }

  @Test
  void programs_whatTheyHaveInCommon_agrees() {
    assertThat(List.of("gateway", "node-1", "node-2"))
        .allSatisfy(
            service ->
                assertThat(environment(service))
                    .containsEntry("HDR_SIDECAR_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092")
                    .containsEntry("HDR_SIDECAR_KAFKA_PARTITIONS", "8")
                    .containsEntry("HDR_SIDECAR_KAFKA_REPLICAS", "1"));
    assertThat(List.of("sidecar-1", "sidecar-2"))
        .allSatisfy(
            service ->
                assertThat(environment(service))
                    .containsEntry("HDR_SIDECAR_UPSTREAM_ADDRESS", "tcp://gateway:9924"))
        .extracting(service -> environment(service).get("HDR_SIDECAR_UPSTREAM_RESOURCE_POD"))
        .doesNotHaveDuplicates();
  }

  @Test
  void prometheus_scrapesGatewayAndNodes_withTheFleetsRules() throws Exception {
    assertThat(
            Tool.run(
                List.of("promtool", "check", "config", "--syntax-only", PROMETHEUS.toString()),
                Path.of(".")))
        .contains("SUCCESS");
    String text = Files.readString(PROMETHEUS);

    assertThat(TARGET.matcher(text).results().map((MatchResult found) -> found.group(1)))
        .containsExactly("gateway", "node-1", "node-2");
    assertThat(services.getJsonObject("prometheus").getJsonArray("volumes").encode())
        .contains("/etc/prometheus/hdr-sidecar-fleet-rules.yaml");
    assertThat(text).contains("rule_files: [/etc/prometheus/hdr-sidecar-fleet-rules.yaml]");
  }

  @Test
  void grafana_opensTheDashboardOfTheFleet() {
    String path = environment("grafana").get("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH");

    assertThat(Path.of(String.valueOf(path)).getFileName()).hasToString(Dashboard.FLEET + ".json");
  }
}
