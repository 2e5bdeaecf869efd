package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.image.ComposeStack;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.PrometheusApi;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * What {@code k8s/compose/compose.yaml} describes runs, and Prometheus answers what Grafana asks it
 * first. All but Grafana itself: its image is not there to have where these tests must run. What it
 * is given is compared with what it will look for.
 */
@RequiresDocker
@RequiresPrograms("compose-model")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ComposeIT {
  private static final Path FILE = Path.of("../k8s/compose/compose.yaml");

  private static final Path RULES = Dashboard.FOLDER.resolve("prometheus/hdr-sidecar-rules.yaml");

  /** As {@code dashboards/provisioning} has it. */
  private static final Duration SCRAPE_INTERVAL = Duration.ofSeconds(15);

  private ComposeStack stack;
  private PrometheusApi prometheus;

  @BeforeAll
  void start() throws Exception {
    stack = ComposeStack.of(FILE);
    stack.start("shop", "sidecar", "prometheus");
    prometheus = new PrometheusApi(stack.address("prometheus", 9090));
  }

  @AfterAll
  void stop() throws Exception {
    if (stack != null) {
      stack.remove();
    }
  }

  @Test
  void prometheus_started_isHealthyAndHasOurRules() throws Exception {
    Eventually.holds(() -> assertThat(stack.state("prometheus")).isEqualTo("healthy"));
    JsonObject loaded = (JsonObject) prometheus.get("/api/v1/rules", Map.of());

    assertThat(names(loaded.getJsonArray("groups"), "name"))
        .containsExactlyInAnyOrderElementsOf(
            names(yaml(RULES).getJsonArray("groups"), "name").toList());
  }

  @Test
  void target_isUp() throws Exception {
    Eventually.holds(
        () -> {
          JsonObject targets =
              (JsonObject) prometheus.get("/api/v1/targets", Map.of("state", "active"));
          assertThat(names(targets.getJsonArray("activeTargets"), "health"))
              .as("%s", targets)
              .containsExactly("up");
        });
  }

  @Test
  void firstDashboard_eachPanel_hasData() throws Exception {
    String path =
        stack
            .service("grafana")
            .getJsonObject("environment")
            .getString("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH");
    Dashboard first = Dashboard.of(Path.of(path).getFileName().toString().replace(".json", ""));

    Eventually.holds(
        () -> {
          DashboardSelection opened =
              new Choices(prometheus)
                  .first(DashboardSelection.of(first, Duration.ofHours(1), SCRAPE_INTERVAL));
          for (Dashboard.Panel panel : first.panels()) {
            for (Dashboard.Query query : panel.answering()) {
              assertThat(prometheus.result(opened.replaceIn(query.expression())))
                  .as("%s, %s", panel.title(), opened)
                  .isNotEmpty();
            }
          }
        });
  }

  @Test
  void grafana_whatItIsGiven_isWhereItLooks() throws Exception {
    Path folder = Path.of("/etc/grafana/provisioning");
    JsonObject provider =
        yaml(stack.mounted("grafana", folder + "/dashboards/hdr-sidecar.yaml"))
            .getJsonArray("providers")
            .getJsonObject(0);
    JsonArray sources =
        yaml(stack.mounted("grafana", folder + "/datasources/hdr-sidecar.yaml"))
            .getJsonArray("datasources");
    String dashboards = provider.getJsonObject("options").getString("path");

    assertThat(names(sources, "url"))
        .containsExactly("http://prometheus:9090", "http://sidecar:9925/prometheus");
    assertThat(stack.service("sidecar").getJsonArray("ports").encode()).contains("9925");
    assertThat(stack.mounted("grafana", dashboards)).isDirectoryContaining("glob:**/*.json");
    assertThat(
            stack
                .service("grafana")
                .getJsonObject("environment")
                .getString("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"))
        .startsWith(dashboards + "/");
  }

  private static Stream<String> names(JsonArray objects, String field) {
    return objects.stream().map(JsonObject.class::cast).map(each -> each.getString(field));
  }

  private static JsonObject yaml(Path file) throws IOException {
    Map<String, Object> read =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
    return new JsonObject(read);
  }
}
