package io.hdrsidecar.tests.dashboards;

import io.hdrsidecar.tests.support.PrometheusApi;
import io.vertx.core.json.JsonArray;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The panels that may ask a sidecar itself, asked of it: for every series, kind and window, and for
 * all pods, as it knows no other.
 */
final class SidecarPanels {
  /** As the data source of a sidecar is told: its clients' interval. */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final PrometheusApi prometheus;
  private final PrometheusApi sidecar;
  private final Duration range;
  private int asked;

  /** Of a Prometheus and a sidecar that it scrapes; the range is that of the time shown. */
  SidecarPanels(PrometheusApi prometheus, PrometheusApi sidecar, Duration range) {
    this.prometheus = prometheus;
    this.sidecar = sidecar;
    this.range = range;
  }

  /** How many queries were asked of it. */
  int asked() {
    return asked;
  }

  /** Of dashboards for a Prometheus: what a Prometheus answers and the sidecar does not. */
  List<String> ofLatencies() throws Exception {
    List<String> missing = new ArrayList<>();
    for (Dashboard dashboard : Dashboard.ofSidecars()) {
      if (dashboard.panels().stream().noneMatch(Dashboard.Panel::isOfLatencies)) {
        continue;
      }
      DashboardSelection nothing = DashboardSelection.of(dashboard, range, INTERVAL);
      for (DashboardSelection selection : new Choices(prometheus).all(nothing)) {
        boolean isOfAllPods =
            List.of("cluster", "namespace", "job", "pod").stream()
                .allMatch(name -> DashboardSelection.ALL.equals(selection.values().get(name)));
        if (isOfAllPods) {
          for (Dashboard.Panel panel : dashboard.panels()) {
            if (panel.isOfLatencies()) {
              missing.addAll(missing(panel, selection, prometheus));
            }
          }
        }
      }
    }
    return missing;
  }

  /** Of the dashboard for a sidecar; compared with what was so little earlier that it is there. */
  List<String> ofDistribution() throws Exception {
    List<String> missing = new ArrayList<>();
    DashboardSelection nothing =
        DashboardSelection.of(Dashboard.of("hdr-sidecar-distribution"), range, INTERVAL);
    for (DashboardSelection selection : new Choices(sidecar).all(nothing)) {
      for (Dashboard.Panel panel : Dashboard.of("hdr-sidecar-distribution").panels()) {
        missing.addAll(missing(panel, selection.with("earlier", "20s"), sidecar));
      }
    }
    return missing;
  }

  private List<String> missing(
      Dashboard.Panel panel, DashboardSelection selection, PrometheusApi known) throws Exception {
    List<String> missing = new ArrayList<>();
    for (Dashboard.Query query : panel.answering()) {
      String expression = selection.replaceIn(query.expression());
      asked++;
      boolean isMissing =
          rows(sidecar, query, expression) == 0
              && (known.equals(sidecar) || rows(known, query, expression) > 0);
      if (isMissing) {
        missing.add(panel.title() + " " + selection + ": " + expression);
      }
    }
    return missing;
  }

  private int rows(PrometheusApi api, Dashboard.Query query, String expression) throws Exception {
    JsonArray result =
        query.isInstant() ? api.result(expression) : api.result(expression, range, INTERVAL);
    return NumberRows.count(result);
  }
}
