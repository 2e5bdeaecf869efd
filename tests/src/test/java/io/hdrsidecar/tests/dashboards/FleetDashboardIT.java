package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.FleetProcesses;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard of the fleet, every query of every panel, asked of a Prometheus that has scraped a
 * real gateway and two real nodes, with a real broker between them, for some seconds.
 *
 * <p>{@code -Ddashboards.watched=5m} watches longer, kills a node, cuts the broker off, and writes
 * down the answers for {@code dashboards/pictures/drawing/draw.py}.
 */
@RequiresDocker
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FleetDashboardIT {
  private static final Dashboard FLEET = Dashboard.of(Dashboard.FLEET);
  private static final Path RULES =
      Dashboard.FOLDER.resolve("prometheus/hdr-sidecar-fleet-rules.yaml");

  private static final String WATCHED_PROPERTY = "dashboards.watched";
  private static final Duration WATCHED =
      Duration.parse("PT" + System.getProperty(WATCHED_PROPERTY, "10s"));
  private static final Duration SCRAPE_INTERVAL = Duration.ofSeconds(1);

  /** Panels that leave out what is 0; the series they read must be there. */
  private static final Set<String> MAY_BE_EMPTY =
      Set.of(
          "Refused at gateways, by reason",
          "Skipped on the topics, by reason",
          "Failures to produce",
          "Nodes that fail each other, by reason",
          "Series shown");

  private LoadedFleet fleet;
  private PrometheusServer prometheus;

  @BeforeAll
  void load(@TempDir Path directory) throws Exception {
    fleet = new LoadedFleet(directory, Files.readString(RULES), WATCHED);
    prometheus = fleet.prometheus();
    if (System.getProperty(WATCHED_PROPERTY) != null) {
      LockSupport.parkNanos(WATCHED.dividedBy(3).toNanos());
      fleet.killANode(WATCHED.dividedBy(20));
      LockSupport.parkNanos(WATCHED.dividedBy(3).toNanos());
      fleet.cutTheBroker(WATCHED.dividedBy(15));
      LockSupport.parkNanos(WATCHED.dividedBy(4).toNanos());
      JsonArray answers = new Answers(prometheus, WATCHED).of(List.of(FLEET));
      Files.writeString(Path.of("target/dashboards-fleet.json"), answers.encode());
    }
    fleet.awaitScraped((int) WATCHED.toSeconds() / 2);
  }

  @AfterAll
  void stop() throws Exception {
    if (fleet != null) {
      fleet.close();
    }
  }

  /** Of one gateway or node alone there is what that one does. */
  @Test
  void everyQueryOfEveryPanel_forEveryValueOfEachVariable_returnsData() throws Exception {
    AnswerTable table = new AnswerTable();
    List<String> empty = new ArrayList<>();
    for (DashboardSelection selection : new Choices(prometheus).all(nothingChosen())) {
      boolean isWhole =
          DashboardSelection.ALL.equals(selection.values().get("job"))
              && DashboardSelection.ALL.equals(selection.values().get("pod"));
      int answered = 0;
      for (Dashboard.Panel panel : FLEET.panels()) {
        for (Dashboard.Query query : panel.answering()) {
          String asked = selection.replaceIn(query.expression());
          int rows = rows(query, asked);
          answered += rows;
          table.add(FLEET, panel, query, rows);
          if (isWhole && rows == 0 && !MAY_BE_EMPTY.contains(panel.title())) {
            empty.add(panel.title() + " " + selection + ": " + asked);
          }
        }
      }
      assertThat(answered).as("%s", selection).isPositive();
    }
    System.out.println(table);
    assertThat(empty).isEmpty();
  }

  @Test
  void everyVariable_asked_hasTheValuesOfTheLoad() throws Exception {
    Choices choices = new Choices(prometheus);
    choices.all(nothingChosen());
    Map<String, Set<String>> found = choices.found();

    assertThat(found.get("namespace")).containsExactly(DashboardSelection.ALL, "monitoring");
    assertThat(found.get("job"))
        .containsExactly(
            DashboardSelection.ALL, "hdr-sidecar-fleet-gateway", "hdr-sidecar-fleet-node");
    assertThat(found.get("pod_label")).containsExactly("pod", "instance");
    assertThat(found.get("pod"))
        .contains(DashboardSelection.ALL, "fleet-gateway", "fleet-node-0", "fleet-node-1");
    assertThat(found.get("series")).contains("checkout", "query").doesNotContain("body");
    assertThat(found.get("kind")).contains("response", "service", "wait");
    assertThat(found.get("of_namespace")).containsExactly(DashboardSelection.ALL, "web");
    assertThat(found.get("deployment")).containsExactly(DashboardSelection.ALL, "cart", "shop");
  }

  @Test
  void everySelector_ofPanelsThatMayBeEmptyAndOfMarks_matchesSeries() throws Exception {
    DashboardSelection opened = new Choices(prometheus).first(nothingChosen());
    List<String> queries = new ArrayList<>();
    FLEET.panels().stream()
        .filter(panel -> MAY_BE_EMPTY.contains(panel.title()))
        .flatMap(panel -> panel.queries().stream())
        .forEach(query -> queries.add(query.expression()));
    FLEET.annotations().forEach(mark -> queries.add(mark.getString("expr")));
    for (String query : queries) {
      for (String selector : PromQl.parse(prometheus, opened.replaceIn(query)).selectors()) {
        boolean writtenByPrometheusWhenAnAlertFires = selector.contains("=\"ALERTS\"");
        if (!writtenByPrometheusWhenAnAlertFires) {
          assertThat(prometheus.result("last_over_time(" + selector + "[1h])"))
              .as("%s in %s", selector, query)
              .isNotEmpty();
        }
      }
    }
  }

  @Test
  void everyQuery_withPercentiles_onlyChoosesAmongThem() throws Exception {
    DashboardSelection opened = new Choices(prometheus).first(nothingChosen());
    for (Dashboard.Panel panel : FLEET.panels()) {
      for (Dashboard.Query query : panel.queries()) {
        String asked = opened.replaceIn(query.expression());
        assertThat(PromQl.parse(prometheus, asked).combinedPercentiles()).as(asked).isEmpty();
      }
    }
  }

  @Test
  void everyRule_evaluated_isHealthy_andReadsSeriesThatThereAre() throws Exception {
    JsonArray groups =
        ((JsonObject) prometheus.get("/api/v1/rules", Map.of())).getJsonArray("groups");
    JsonArray rules = groups.getJsonObject(0).getJsonArray("rules");
    assertThat(rules).isNotEmpty();
    for (Object each : rules) {
      JsonObject rule = (JsonObject) each;
      assertThat(rule.getString("health")).as(rule.encodePrettily()).isEqualTo("ok");
      for (String selector : PromQl.parse(prometheus, rule.getString("query")).selectors()) {
        assertThat(prometheus.result("last_over_time(" + selector + "[1h])"))
            .as("%s of %s", selector, rule.getString("name"))
            .isNotEmpty();
      }
    }
  }

  @Test
  void pages_ofGatewayAndNodes_checkedByPromtool_areWithoutComplaint() throws Exception {
    List<FleetProcesses.Started> pages = new ArrayList<>(fleet.nodes());
    pages.add(fleet.gateway());
    HttpClient http = HttpClient.newHttpClient();
    for (FleetProcesses.Started each : pages) {
      HttpRequest request = HttpRequest.newBuilder(each.http().resolve("/metrics")).build();

      String page = http.send(request, BodyHandlers.ofString()).body();

      assertThat(prometheus.promtoolCheck(page)).isEmpty();
    }
  }

  private static DashboardSelection nothingChosen() {
    return DashboardSelection.of(FLEET, WATCHED, SCRAPE_INTERVAL);
  }

  private int rows(Dashboard.Query query, String asked) throws Exception {
    return NumberRows.count(
        query.isInstant()
            ? prometheus.result(asked)
            : prometheus.result(asked, WATCHED, SCRAPE_INTERVAL));
  }
}
