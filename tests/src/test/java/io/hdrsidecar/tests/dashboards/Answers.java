package io.hdrsidecar.tests.dashboards;

import io.hdrsidecar.tests.support.PrometheusApi;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/** What Prometheus answers to every panel when its dashboard opens, with all that a chart needs. */
final class Answers {
  private static final Duration SCRAPE_INTERVAL = Duration.ofSeconds(1);

  /** As many points as fit on a chart. */
  private static final int POINTS = 300;

  private final PrometheusApi prometheus;
  private final PrometheusApi sidecar;
  private final Duration range;
  private final Duration step;

  /**
   * Of one moment.
   *
   * @param sidecar who answers the dashboards that ask a sidecar itself
   */
  Answers(PrometheusApi prometheus, PrometheusApi sidecar, Duration range) {
    this.prometheus = prometheus;
    this.sidecar = sidecar;
    this.range = range;
    this.step = Duration.ofSeconds(Math.max(1, range.toSeconds() / POINTS));
  }

  JsonArray all() throws Exception {
    JsonArray dashboards = new JsonArray();
    for (Dashboard dashboard : Dashboard.all()) {
      boolean isOfPrometheus = Dashboard.ofPrometheus().contains(dashboard);
      PrometheusApi asked = isOfPrometheus ? prometheus : sidecar;
      Duration shown = isOfPrometheus ? range : range.dividedBy(2); // compared with the first half
      DashboardSelection selection =
          new Choices(asked).first(DashboardSelection.of(dashboard, shown, SCRAPE_INTERVAL));
      if (!isOfPrometheus) {
        selection = selection.with("earlier", shown.toSeconds() + "s");
      }
      JsonArray grid = new JsonArray();
      for (JsonObject panel : dashboard.grid()) {
        grid.add(
            panel.getString("type").equals("row")
                ? panel
                : answered(panel, selection, asked, shown));
      }
      JsonArray chosen = new JsonArray();
      selection
          .values()
          .forEach(
              (name, value) -> chosen.add(new JsonObject().put("name", name).put("value", value)));
      dashboards.add(
          new JsonObject()
              .put("uid", dashboard.uid())
              .put("title", dashboard.json().getString("title"))
              .put("variables", new JsonArray(dashboard.variables()))
              .put("chosen", chosen)
              .put("panels", grid));
    }
    return dashboards;
  }

  /** A panel that is repeated for each value of a variable is answered for the first of them. */
  private JsonObject answered(
      JsonObject panel, DashboardSelection selection, PrometheusApi asked, Duration shown)
      throws Exception {
    DashboardSelection own = selection;
    if (panel.containsKey("repeat")) {
      String variable = panel.getString("repeat");
      List<String> values = new Choices(asked).values(selection, variable);
      own = selection.with(variable, values.get(values.size() > 1 ? 1 : 0));
    }
    JsonObject answered = panel.copy().put("title", own.replaceIn(panel.getString("title")));
    JsonArray answers = new JsonArray();
    for (Dashboard.Query query : new Dashboard.Panel(panel).queries()) {
      String expression = own.replaceIn(query.expression());
      answers.add(
          new JsonObject()
              .put("refId", query.refId())
              .put("legend", own.replaceIn(query.json().getString("legendFormat", "")))
              .put(
                  "result",
                  query.isInstant()
                      ? asked.result(expression)
                      : asked.result(expression, shown, step)));
    }
    return answered.put("answers", answers);
  }
}
