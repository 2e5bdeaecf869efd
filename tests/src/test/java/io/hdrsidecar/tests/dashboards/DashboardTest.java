package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes a dashboard one that can be provisioned as it is, and read by somebody new to it. */
final class DashboardTest {
  /** The second may be another than the first: a sidecar itself. */
  private static final List<String> DATA_SOURCES = List.of("${datasource}", "${latencies}");

  private static final int GRID_WIDTH = 24;

  static Stream<Dashboard> dashboards() {
    return Dashboard.all().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dashboards")
  void dashboard_provisioned_isBoundToNoInstallation(Dashboard dashboard) {
    assertThat(dashboard.json().getValue("id")).isNull();
    assertThat(dashboard.uid()).matches("hdr-sidecar-[a-z]+");
    assertThat(dashboard.variables().get(0).getString("name")).isEqualTo("datasource");
    assertThat(dashboard.variables().get(0).getString("type")).isEqualTo("datasource");
    dashboard
        .annotations()
        .forEach(marks -> assertThat(dataSource(marks)).isEqualTo(DATA_SOURCES.get(0)));
    for (Dashboard.Panel panel : dashboard.panels()) {
      String asked = dataSource(panel.json());
      assertThat(DATA_SOURCES).contains(asked);
      assertThat(panel.queries()).allMatch(query -> dataSource(query.json()).equals(asked));
    }
  }

  private static String dataSource(JsonObject asking) {
    return asking.getJsonObject("datasource").getString("uid");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dashboards")
  void everyPanel_read_saysWhatItIsAndInWhichUnit(Dashboard dashboard) {
    Set<String> titles = new HashSet<>();
    for (Dashboard.Panel panel : dashboard.panels()) {
      assertThat(panel.title()).isNotBlank();
      assertThat(titles.add(panel.title())).as("used once: " + panel.title()).isTrue();
      assertThat(panel.json().getString("description")).as(panel.title()).hasSizeGreaterThan(20);
      JsonObject defaults = panel.json().getJsonObject("fieldConfig").getJsonObject("defaults");
      assertThat(defaults.getString("unit")).as(panel.title()).isNotBlank();
      assertThat(panel.queries()).as(panel.title()).isNotEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dashboards")
  void everyPanel_onTheGrid_hasAPlaceOfItsOwn(Dashboard dashboard) {
    Set<List<Integer>> taken = new HashSet<>();
    for (JsonObject panel : dashboard.grid()) {
      JsonObject place = panel.getJsonObject("gridPos");
      for (int x = 0; x < place.getInteger("w"); x++) {
        for (int y = 0; y < place.getInteger("h"); y++) {
          int column = place.getInteger("x") + x;
          assertThat(column).isLessThan(GRID_WIDTH);
          assertThat(taken.add(List.of(column, place.getInteger("y") + y)))
              .as("overlaps: " + panel.getString("title"))
              .isTrue();
        }
      }
    }
  }

  /** The sidecar of a fleet has the calls of all pods, too; a sidecar that is asked has no job. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"hdr-sidecar-latency", "hdr-sidecar-hiccups"})
  void allJobs_whereCallsAreAddedUp_areWithoutThoseOfAFleet(String uid) throws Exception {
    String workload = Files.readString(Path.of("../k8s/fleet/statefulset.yaml"));
    String jobLabel = Files.readString(Path.of("../k8s/cluster/pod-monitor.yaml"));
    assertThat(jobLabel).contains("jobLabel: app.kubernetes.io/name");
    Matcher job = Pattern.compile("app.kubernetes.io/name: (\\S+)").matcher(workload);
    assertThat(job.find()).isTrue();
    Dashboard dashboard = Dashboard.of(uid);
    DashboardSelection all =
        DashboardSelection.of(dashboard, Duration.ofMinutes(10), Duration.ofMinutes(1));
    for (String name : all.names()) {
      all = all.with(name, DashboardSelection.ALL);
    }
    for (Dashboard.Panel panel : dashboard.panels()) {
      for (Dashboard.Query query : panel.queries()) {
        String asked = all.replaceIn(query.expression());
        assertThat(hasJob(asked, job.group(1))).as(asked).isFalse();
        assertThat(hasJob(asked, "hdr-sidecar-fleet-node")).as(asked).isFalse();
        assertThat(hasJob(asked, "shop")).as(asked).isTrue();
        assertThat(hasJob(asked, "")).as(asked).isTrue();
      }
    }
  }

  /** Whether matchers of the job in a query let it pass. */
  private static boolean hasJob(String query, String job) {
    Matcher matcher = Pattern.compile("job(=~|!~)\"([^\"]*)\"").matcher(query);
    boolean passes = true;
    while (matcher.find()) {
      passes &= job.matches(matcher.group(2)) == matcher.group(1).equals("=~");
    }
    return passes;
  }

  /**
   * A fixed range is too short for some scrape interval, and leaves gaps, or too long for a zoom.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("dashboards")
  void everyRate_overTime_takesGrafanasInterval(Dashboard dashboard) {
    for (Dashboard.Panel panel : dashboard.panels()) {
      boolean isAboutFixedSpans = panel.title().startsWith("Budget ");
      for (Dashboard.Query query : panel.queries()) {
        if (!isAboutFixedSpans) {
          assertThat(query.expression()).as(panel.title()).doesNotContainPattern("\\[\\d");
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dashboards")
  void everyVariable_read_hasALabelAndADescription(Dashboard dashboard) {
    for (JsonObject variable : dashboard.variables()) {
      assertThat(variable.getString("label")).as(variable.getString("name")).isNotBlank();
      assertThat(variable.getString("description")).as(variable.getString("name")).isNotBlank();
    }
  }
}
