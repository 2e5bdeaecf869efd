package io.hdrsidecar.tests.dashboards;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.PrometheusApi;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every query of every panel and every rule, asked of a Prometheus that has scraped two sidecars
 * with two applications under load for a minute. {@code -Ddashboards.watched=5m} watches longer,
 * and writes down the answers, for {@code dashboards/pictures/drawing/draw.py}.
 */
@RequiresDocker
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DashboardsIT {
  /**
   * Rows of a rule are told apart by their quantile. Their counters are typed all the same, as
   * rate() is asked of them; the linter would have that label for summaries alone.
   */
  private static final Pattern KNOWN_COMPLAINT =
      Pattern.compile(
          "hdr_sla_(good|events)_total non-summary metrics should not have \"quantile\" label"
              + "|exit 3");

  private static final Path RULES = Dashboard.FOLDER.resolve("prometheus/hdr-sidecar-rules.yaml");
  private static final String WATCHED_PROPERTY = "dashboards.watched";
  private static final Duration WATCHED =
      Duration.parse("PT" + System.getProperty(WATCHED_PROPERTY, "60s"));
  private static final Duration SCRAPE_INTERVAL = Duration.ofSeconds(1);

  private static final String NONE_IS_GOOD = "what is 0 is left out of its legend";

  /** Panels whose queries may return nothing, and why; the series they read must be there. */
  private static final Map<String, String> MAY_BE_EMPTY =
      Map.of(
          "Since",
          "one of its two queries is about an SLA that is met, the other about one that is broken",
          "Lost in the sidecar, by reason",
          NONE_IS_GOOD,
          "Refused, by reason",
          NONE_IS_GOOD,
          "Trouble in clients",
          NONE_IS_GOOD,
          "Picked up from the spill folder",
          NONE_IS_GOOD,
          "Picked up from the crash folder",
          NONE_IS_GOOD,
          "Not safe from a kill",
          NONE_IS_GOOD,
          "Given up for want of memory",
          NONE_IS_GOOD);

  /** Type of a rule that records nothing; in health it gives nothing either. */
  private static final String ALERTING = "alerting";

  private LoadedPods pods;
  private PrometheusServer prometheus;

  @BeforeAll
  void load(@TempDir Path directory) throws Exception {
    pods = LoadedPods.watched(directory, Files.readString(RULES), WATCHED);
    prometheus = pods.prometheus();
  }

  @AfterAll
  void stop() throws Exception {
    if (pods == null) {
      return;
    }
    try (LoadedPods closing = pods) {
      if (System.getProperty(WATCHED_PROPERTY) != null) {
        Answers answers = new Answers(closing.prometheus(), WATCHED);
        JsonArray all = answers.of(Dashboard.ofSidecars());
        PrometheusApi sidecar = sidecar("shop-a");
        all.add(answers.ofASidecar(Dashboard.of("hdr-sidecar-distribution"), sidecar));
        Files.writeString(Path.of("target/dashboards.json"), all.encode());
      }
    }
  }

  @Test
  void everyQueryOfEveryPanel_forEveryValueOfEachVariable_returnsData() throws Exception {
    AnswerTable table = new AnswerTable();
    List<String> empty = new ArrayList<>();
    for (Dashboard dashboard : Dashboard.ofSidecars()) {
      for (DashboardSelection selection : new Choices(prometheus).all(nothingChosen(dashboard))) {
        for (Dashboard.Panel panel : dashboard.panels()) {
          for (Dashboard.Query query : panel.answering()) {
            String asked = selection.replaceIn(query.expression());
            int returned = rows(query, asked);
            table.add(dashboard, panel, query, returned);
            if (returned == 0 && !MAY_BE_EMPTY.containsKey(panel.title())) {
              empty.add(panel.title() + " " + selection + ": " + asked);
            }
          }
        }
      }
    }
    System.out.println(table);
    Files.writeString(
        Files.createDirectories(Path.of("target")).resolve("dashboards.txt"), table.toString());
    assertThat(empty).isEmpty();
    assertThat(table.asked()).isGreaterThan(Dashboard.all().size());
  }

  @Test
  void everyVariable_asked_hasTheValuesOfTheLoad() throws Exception {
    for (Dashboard dashboard : Dashboard.ofSidecars()) {
      Choices choices = new Choices(prometheus);
      choices.all(nothingChosen(dashboard));
      Map<String, Set<String>> found = choices.found();
      assertThat(found.get("cluster")).containsExactly(DashboardSelection.ALL);
      assertThat(found.get("namespace")).containsExactly(DashboardSelection.ALL, "web");
      assertThat(found.get("job")).containsExactly(DashboardSelection.ALL, "shop");
      assertThat(found.get("pod_label")).containsExactly("pod", "instance");
      assertThat(found.get("pod"))
          .hasSize(1 + 2 * pods.sidecars().size())
          .contains(DashboardSelection.ALL, "shop-a", "shop-b");
      if (found.containsKey("series")) {
        assertThat(found.get("series"))
            .containsExactly(
                "checkout",
                "jvm_hiccup",
                "jvm_hiccup_raw",
                "query",
                "sidecar_hiccup",
                "sidecar_hiccup_raw");
        assertThat(found.get("kind")).containsExactly("response", "service", "wait", "");
        assertThat(found.get("window")).containsExactly("1m", "10s");
      }
      if (found.containsKey("sla")) {
        assertThat(found.get("sla")).containsExactly(DashboardSelection.ALL, "checkout", "query");
      }
    }
  }

  @Test
  void everyPanelOfLatencies_askedOfASidecarItself_returnsData() throws Exception {
    SidecarPanels panels = new SidecarPanels(prometheus, sidecar("shop-a"), WATCHED);

    assertThat(panels.ofLatencies()).isEmpty();
    assertThat(panels.ofDistribution()).isEmpty();
    System.out.println("panels asked of a sidecar itself: " + panels.asked() + " queries");
  }

  private PrometheusApi sidecar(String pod) {
    return new PrometheusApi(
        "127.0.0.1:" + requireNonNull(pods.sidecars().get(pod)).httpPort() + "/prometheus");
  }

  /** Of one row, sampled each minute: met for four, broken for three, and met again or not. */
  @ParameterizedTest(name = "{0}, query {2}")
  @CsvSource({
    "1x3 0x2 1x9, 180, 0, 1", // within since minute 6
    "1x3 0x9,     360, 1, 0", // broken since minute 3
  })
  void since_minuteNine_isTheTimeSinceItWasOtherwise(
      String met, int seconds, int answering, int silent) throws Exception {
    Dashboard sla = Dashboard.of("hdr-sidecar-sla");
    Dashboard.Panel since = sla.panel("Since");
    DashboardSelection selection =
        new Choices(prometheus)
            .first(DashboardSelection.of(sla, Duration.ofMinutes(10), Duration.ofMinutes(1)));
    prometheus.copyIn(
        """
        evaluation_interval: 1m
        tests:
          - interval: 1m
            input_series:
              - series: hdr_sla_met{job="shop", sla="checkout", quantile="0.9", window="1m"}
                values: %s
            promql_expr_test:
              - {expr: '%s', eval_time: 9m, exp_samples: [{labels: '{}', value: %d}]}
              - {expr: '%s', eval_time: 9m}
        """
            .formatted(
                met,
                selection.replaceIn(since.queries().get(answering).expression()),
                seconds,
                selection.replaceIn(since.queries().get(silent).expression())),
        "/tmp/since.yaml");

    assertThat(prometheus.run("promtool test rules /tmp/since.yaml 2>&1")).contains("SUCCESS");
  }

  @Test
  void tile_ofASeriesThatAnSlaIsAbout_isInTheColourOfItsVerdict() throws Exception {
    Dashboard latency = Dashboard.of("hdr-sidecar-latency");
    DashboardSelection checkout = new Choices(prometheus).first(nothingChosen(latency));
    String withoutVerdict =
        latency.panel("Half of all calls under, worst pod").queries().get(2).expression();

    assertThat(prometheus.result(checkout.replaceIn(withoutVerdict))).isEmpty();
  }

  @Test
  void everyQuery_withAFilterOfLabels_returnsData() throws Exception {
    List<Dashboard> filtered =
        Dashboard.ofSidecars().stream()
            .filter(d -> d.variables().stream().anyMatch(v -> v.getString("type").equals("adhoc")))
            .toList();
    assertThat(filtered).isNotEmpty();
    for (Dashboard dashboard : filtered) {
      DashboardSelection selection = new Choices(prometheus).first(nothingChosen(dashboard));
      for (Dashboard.Panel panel : dashboard.panels()) {
        for (Dashboard.Query query : panel.answering()) {
          String asked = withMatcher(selection.replaceIn(query.expression()), "namespace", "web");
          assertThat(asked).contains("namespace=\"web\"");
          if (!MAY_BE_EMPTY.containsKey(panel.title())) {
            assertThat(rows(query, asked)).as(asked).isPositive();
          }
        }
      }
    }
  }

  @Test
  void everySelector_ofRulesMarksAndPanelsThatMayBeEmpty_matchesSeries() throws Exception {
    List<String> mayBeEmpty = queries(panel -> MAY_BE_EMPTY.containsKey(panel.title()));
    assertThat(mayBeEmpty).hasSizeGreaterThan(rules().size());
    for (String query : mayBeEmpty) {
      for (String selector : PromQl.parse(prometheus, query).selectors()) {
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
    for (String query : queries(panel -> true)) {
      assertThat(PromQl.parse(prometheus, query).combinedPercentiles()).as(query).isEmpty();
    }
  }

  @Test
  void averagesAndSumsOfPercentiles_areFound() throws Exception {
    for (String wrong :
        List.of(
            "avg by (quantile) (checkout_window_seconds)",
            "max(avg_over_time(checkout_window_seconds{quantile=\"0.99\"}[5m]))",
            "sum({__name__=~\"checkout_window_seconds\"})",
            "quantile(0.5, hdr_sla_actual_seconds)",
            "max(rate(hdr_sla_actual_seconds[5m]))")) {
      assertThat(PromQl.parse(prometheus, wrong).combinedPercentiles()).as(wrong).hasSize(1);
    }
  }

  @Test
  void everyRule_evaluated_isHealthyAndRecordsData() throws Exception {
    int recorded = 0;
    for (JsonObject rule : rules()) {
      assertThat(rule.getString("health")).as(rule.encodePrettily()).isEqualTo("ok");
      if (!rule.getString("type").equals(ALERTING)) {
        recorded++;
        assertThat(NumberRows.count(prometheus.result(rule.getString("name"))))
            .as(rule.getString("name"))
            .isPositive();
      }
    }
    assertThat(recorded).isPositive();
  }

  @Test
  void promtool_checksRulesTestsRulesAndChecksMetrics_withoutComplaint() throws Exception {
    for (Path file : AlertRulesTest.ruleFiles()) {
      prometheus.copyIn(Files.readString(file), "/tmp/rules/" + file.getFileName());
    }
    String checked =
        prometheus.run(
            "cd /tmp/rules && promtool check rules --lint=all --lint-fatal *-rules.yaml");
    String tested = prometheus.run("cd /tmp/rules && promtool test rules *-test.yaml 2>&1");
    System.out.println(checked.strip());
    System.out.println(tested.strip());
    assertThat(tested).contains("SUCCESS");
    for (SidecarProcess sidecar : pods.sidecars().values()) {
      assertThat(prometheus.promtoolCheck(sidecar.metrics()).lines())
          .allMatch(line -> KNOWN_COMPLAINT.matcher(line).matches());
    }
  }

  /** Of these panels and of marks, as they are asked when a dashboard opens, and of rules. */
  private List<String> queries(Predicate<Dashboard.Panel> panels) throws Exception {
    List<String> queries = new ArrayList<>();
    List<Dashboard> dashboards = new ArrayList<>(Dashboard.ofSidecars());
    dashboards.add(Dashboard.of("hdr-sidecar-distribution"));
    for (Dashboard dashboard : dashboards) {
      DashboardSelection selection = new Choices(prometheus).first(nothingChosen(dashboard));
      dashboard.panels().stream()
          .filter(panels)
          .flatMap(panel -> panel.queries().stream())
          .forEach(query -> queries.add(selection.replaceIn(query.expression())));
      dashboard
          .annotations()
          .forEach(mark -> queries.add(selection.replaceIn(mark.getString("expr"))));
    }
    rules().forEach(rule -> queries.add(rule.getString("query")));
    return queries;
  }

  private List<JsonObject> rules() throws Exception {
    JsonArray groups =
        ((JsonObject) prometheus.get("/api/v1/rules", Map.of())).getJsonArray("groups");
    return groups.stream()
        .flatMap(group -> ((JsonObject) group).getJsonArray("rules").stream())
        .map(JsonObject.class::cast)
        .toList();
  }

  private static DashboardSelection nothingChosen(Dashboard dashboard) {
    return DashboardSelection.of(dashboard, WATCHED, SCRAPE_INTERVAL);
  }

  private int rows(Dashboard.Query query, String asked) throws Exception {
    return NumberRows.count(
        query.isInstant()
            ? prometheus.result(asked)
            : prometheus.result(asked, WATCHED, SCRAPE_INTERVAL));
  }

  /** As Grafana adds a filter: to every selector. */
  private String withMatcher(String query, String label, String value) throws Exception {
    prometheus.copyIn(query, "/tmp/query");
    return prometheus.run(
        "promtool --experimental promql label-matchers set \"$(cat /tmp/query)\" "
            + label
            + " "
            + value);
  }
}
