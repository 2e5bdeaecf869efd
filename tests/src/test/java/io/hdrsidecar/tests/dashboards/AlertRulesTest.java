package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What somebody who is woken by an alert needs of it. */
final class AlertRulesTest {
  private static final Path FOLDER = Dashboard.FOLDER.resolve("prometheus");
  private static final String SIDECARS = "hdr-sidecar-rules.yaml";

  /** Of the webhook, which has no dashboard. */
  private static final String WEBHOOKS = "hdr-sidecar-inject-rules.yaml";

  /** Of gateways and nodes. */
  private static final String FLEET = "hdr-sidecar-fleet-rules.yaml";

  private static final Path DOCS = Dashboard.FOLDER.resolve("../docs");

  /** Rules by the page with their runbooks, and what the heading of a runbook begins with. */
  private static final Map<String, Set<String>> RULES_OF =
      Map.of("runbooks.md", Set.of(SIDECARS, WEBHOOKS), "runbooks-fleet.md", Set.of(FLEET));

  private static final Map<String, String> HEADING =
      Map.of("runbooks.md", "### ", "runbooks-fleet.md", "## ");

  private static final Pattern CHOSEN = Pattern.compile("&var-([a-z_]+)=");
  private static final Pattern NAME = Pattern.compile("Hdr[A-Za-z]+");
  private static final Pattern RECORD = Pattern.compile("[a-z_]+(?::[a-z0-9_]+)+");
  private static final Set<String> SPANS = Set.of("long", "short");

  /** One alert of the rules. */
  private record Alert(
      String name, String expression, Map<String, String> labels, Map<String, String> notes) {}

  /** The files with tests for promtool. */
  /** Rules and their tests. */
  static List<Path> ruleFiles() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().contains("-rules")).sorted().toList();
    }
  }

  private static List<Alert> alerts() throws IOException {
    List<Alert> alerts = new ArrayList<>(alerts(SIDECARS));
    alerts.addAll(alerts(WEBHOOKS));
    alerts.addAll(alerts(FLEET));
    return alerts;
  }

  private static List<Alert> alerts(String file) throws IOException {
    List<Alert> alerts = new ArrayList<>();
    for (Object group : list(read(file).get("groups"))) {
      for (Object each : list(map(group).get("rules"))) {
        Map<String, Object> rule = map(each);
        if (rule.containsKey("alert")) {
          alerts.add(
              new Alert(
                  String.valueOf(rule.get("alert")),
                  String.valueOf(rule.get("expr")),
                  texts(rule.get("labels")),
                  texts(rule.get("annotations"))));
        }
      }
    }
    assertThat(alerts).isNotEmpty();
    return alerts;
  }

  private static Map<String, Object> read(String file) throws IOException {
    String yaml = Files.readString(FOLDER.resolve(file));
    return map(new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml));
  }

  @SuppressWarnings("unchecked") // YAML read by SafeConstructor; keys of these objects are text
  private static Map<String, Object> map(@Nullable Object object) {
    return (Map<String, Object>) Objects.requireNonNull(object);
  }

  @SuppressWarnings("unchecked") // as above
  private static List<Object> list(@Nullable Object object) {
    return (List<Object>) Objects.requireNonNull(object);
  }

  private static Map<String, String> texts(@Nullable Object object) {
    return map(object).entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> String.valueOf(e.getValue())));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"runbooks.md", "runbooks-fleet.md"})
  void everyAlert_thatFires_leadsToItsRunbookAndEachRunbookIsOfOne(String page) throws IOException {
    List<Alert> alerts = new ArrayList<>();
    for (String file : RULES_OF.getOrDefault(page, Set.of())) {
      alerts.addAll(alerts(file));
    }
    for (Alert alert : alerts) {
      assertThat(alert.notes().get("runbook_url"))
          .isEqualTo(
              "https://docs.example.com/hdr-sidecar/"
                  + page
                  + "#"
                  + alert.name().toLowerCase(Locale.ROOT));
    }
    String heading = HEADING.getOrDefault(page, "") + "Hdr";
    assertThat(Files.readAllLines(DOCS.resolve(page)).stream().filter(l -> l.startsWith(heading)))
        .containsExactlyInAnyOrderElementsOf(
            alerts.stream()
                .map(alert -> HEADING.getOrDefault(page, "") + alert.name())
                .distinct()
                .toList());
  }

  @Test
  void everyAlert_withADashboard_leadsToOneThatIsThere() throws IOException {
    Set<String> dashboards = new TreeSet<>();
    Dashboard.all().forEach(dashboard -> dashboards.add(dashboard.uid()));
    List<Alert> withDashboard = new ArrayList<>(alerts(SIDECARS));
    withDashboard.addAll(alerts(FLEET));
    for (Alert alert : withDashboard) {
      String board = alert.notes().getOrDefault("dashboard_url", "");
      assertThat(board).startsWith("https://grafana.example.com/d/");
      String uid = board.split("/d/", 2)[1].split("\\?", 2)[0];
      assertThat(dashboards).contains(uid);
      assertThat(CHOSEN.matcher(board).results().map(chosen -> chosen.group(1)))
          .as(board)
          .isSubsetOf(
              Dashboard.of(uid).variables().stream().map(v -> v.getString("name")).toList());
    }
  }

  /** Groups are evaluated in any order, the rules of one from its first to its last. */
  @Test
  void everyRule_readsRecordsThatStandAboveItInItsGroup() throws IOException {
    Set<String> read = new TreeSet<>();
    for (Object group : list(read(SIDECARS).get("groups"))) {
      Set<String> written = new TreeSet<>();
      for (Object each : list(map(group).get("rules"))) {
        Map<String, Object> rule = map(each);
        Set<String> reads =
            RECORD
                .matcher(String.valueOf(rule.get("expr")))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
        assertThat(written).containsAll(reads);
        read.addAll(reads);
        if (rule.containsKey("record")) {
          written.add(String.valueOf(rule.get("record")));
        }
      }
    }
    assertThat(read).isNotEmpty();
  }

  /** What is added up over pods may page; it must be long enough under way, and still going on. */
  @Test
  void everyAlert_thatPages_isAboutAWholeJob() throws IOException {
    List<String> paging = new ArrayList<>();
    for (Alert alert : alerts(SIDECARS)) {
      boolean isAboutOnePod = alert.notes().getOrDefault("summary", "").contains("$labels.pod");
      if ("critical".equals(alert.labels().get("severity"))) {
        paging.add(alert.name());
        assertThat(isAboutOnePod).as(alert.name()).isFalse();
      } else {
        assertThat(alert.labels()).containsEntry("severity", "warning");
      }
      if (alert.expression().contains("hdr_sla_burn")) {
        assertThat(alert.labels().keySet()).containsAll(SPANS);
        assertThat(alert.expression())
            .contains("burn:rate" + alert.labels().get("long"))
            .contains("burn:rate" + alert.labels().get("short"))
            .contains("hdr_sla_bad:increase" + alert.labels().get("long") + " >= 10");
      } else {
        assertThat(alert.expression().contains("max by") || isAboutOnePod).isTrue();
      }
    }
    assertThat(paging)
        .containsExactly("HdrSlaBudgetBurnsFast", "HdrSlaBudgetBurnsFast", "HdrSlaUnseen");
  }

  /** DashboardsIT runs them; that they expect an alert and, later, none is what they say. */
  @Test
  void everyAlert_inTheTestsOfRules_fires() throws IOException {
    StringBuilder tests = new StringBuilder();
    for (Path file : ruleFiles()) {
      tests.append(file.toString().endsWith("-test.yaml") ? Files.readString(file) : "");
    }
    for (Alert alert : alerts()) {
      assertThat(tests.toString())
          .contains("ALERTS{alertname=\"" + alert.name() + "\", alertstate=\"firing\"");
    }
  }

  @Test
  void inhibition_comparedWithTheRules_namesAlertsThatThereAre() throws IOException {
    String inhibition = Files.readString(FOLDER.resolve("alertmanager-inhibition.yaml"));

    assertThat(NAME.matcher(inhibition).results().map(MatchResult::group))
        .isNotEmpty()
        .allMatch(alerts().stream().map(Alert::name).toList()::contains);
  }
}
