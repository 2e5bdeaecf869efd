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
  private final Duration range;
  private final Duration step;

  /** Of one moment. */
  Answers(PrometheusApi prometheus, Duration range) {
    this.prometheus = prometheus;
    this.range = range;
    this.step = Duration.ofSeconds(Math.max(1, range.toSeconds() / POINTS));
  }

  JsonArray of(List<Dashboard> dashboards) throws Exception {
    JsonArray all = new JsonArray();
    for (Dashboard dashboard : dashboards) {
      DashboardSelection selection =
          new Choices(prometheus).first(DashboardSelection.of(dashboard, range, SCRAPE_INTERVAL));
      all.add(answers(dashboard, selection, prometheus, range));
    }
    return all;
  }

  /** Of the one that asks a sidecar itself: the last half, compared with the first. */
  JsonObject ofASidecar(Dashboard dashboard, PrometheusApi sidecar) throws Exception {
    Duration shown = range.dividedBy(2);
    DashboardSelection selection =
        new Choices(sidecar)
            .first(DashboardSelection.of(dashboard, shown, SCRAPE_INTERVAL))
            .with("earlier", shown.toSeconds() + "s");
    return answers(dashboard, selection, sidecar, shown);
  }

  private JsonObject answers(
      Dashboard dashboard, DashboardSelection selection, PrometheusApi asked, Duration shown)
      throws Exception {
    JsonArray grid = new JsonArray();
    for (JsonObject panel : dashboard.grid()) {
      grid.add(
          panel.getString("type").equals("row") ? panel : answered(panel, selection, asked, shown));
    }
    JsonArray chosen = new JsonArray();
    selection
        .values()
        .forEach(
            (name, value) -> chosen.add(new JsonObject().put("name", name).put("value", value)));
    return new JsonObject()
        .put("uid", dashboard.uid())
        .put("title", dashboard.json().getString("title"))
        .put("variables", new JsonArray(dashboard.variables()))
        .put("chosen", chosen)
        .put("panels", grid);
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
