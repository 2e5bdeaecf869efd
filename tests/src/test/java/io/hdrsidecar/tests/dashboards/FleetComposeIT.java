package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarJar;
import io.hdrsidecar.tests.support.Tool;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code k8s/compose/fleet.yaml} describes: read, and checked against Compose's schema, by the
 * library that Compose itself is made with; and its settings by the sidecar.
 */
@RequiresPrograms("compose-model")
final class FleetComposeIT {
  private static final Path FILE = Path.of("../k8s/compose/fleet.yaml");
  private static final List<String> BELOW = List.of("sidecar-1", "sidecar-2");

  private final JsonObject services;

  FleetComposeIT() throws Exception {
    String model = Tool.run(List.of("compose-model", FILE.toString()), Path.of("."));
    services = new JsonObject(model).getJsonObject("services");
  }

  private JsonObject environment(String service) {
    return services.getJsonObject(service).getJsonObject("environment");
  }

  @Test
  void sidecarsBelow_handOnToTheOneAbove_fromPodsOfTheirOwn() {
    assertThat(BELOW)
        .allSatisfy(
            service ->
                assertThat(environment(service).getString("HDR_SIDECAR_UPSTREAM_ADDRESS"))
                    .isEqualTo("tcp://fleet:9924"));
    assertThat(BELOW)
        .extracting(service -> environment(service).getString("HDR_SIDECAR_UPSTREAM_RESOURCE_POD"))
        .doesNotHaveDuplicates();
    assertThat(environment("fleet").getString("HDR_SIDECAR_INGEST_RESOURCE_LABELS"))
        .isEqualTo("deployment");
  }

  @Test
  void settings_ofEachSidecar_areAccepted(@TempDir Path folder) throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "secret\n");
    for (String service : List.of("fleet", "sidecar-1", "sidecar-2")) {
      ProcessBuilder check =
          Launch.builder(
              SidecarJar.command(
                  "serve",
                  "--check-config",
                  "--journal-directory=" + folder.resolve("journal"),
                  "--ingest-token-file=" + token,
                  "--upstream-token-file=" + token));
      environment(service)
          .forEach(variable -> check.environment().put(variable.getKey(), text(variable)));

      Process process = check.start();

      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .as(service)
          .contains("configuration is valid");
      assertThat(process.waitFor()).isZero();
    }
  }

  private static String text(Map.Entry<String, Object> variable) {
    return String.valueOf(variable.getValue());
  }
}
