package io.hdrsidecar.tests.dashboards;

import io.hdrsidecar.tests.support.PrometheusServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What a query is made of, from Prometheus' own parser. */
record PromQl(JsonObject tree) {
  /**
   * What may be done with percentiles: to choose one of them. Everything else would combine them.
   */
  private static final Set<String> CHOOSING =
      Set.of(
          "max",
          "min",
          "topk",
          "bottomk",
          "count",
          "group",
          "max_over_time",
          "min_over_time",
          "last_over_time",
          "count_over_time",
          "label_replace",
          "timestamp",
          "vector",
          "time");

  static PromQl parse(PrometheusServer prometheus, String query) throws Exception {
    return new PromQl((JsonObject) prometheus.get("/api/v1/parse_query", Map.of("query", query)));
  }

  /** All selectors of series, as PromQL, without ranges and offsets. */
  List<String> selectors() {
    List<String> selectors = new ArrayList<>();
    visit(tree, List.of(), (selector, above) -> selectors.add(text(selector)));
    return selectors;
  }

  /**
   * Functions and aggregations that combine percentiles, such as {@code avg of x_window_seconds}.
   */
  List<String> combinedPercentiles() {
    List<String> combined = new ArrayList<>();
    visit(
        tree,
        List.of(),
        (selector, above) -> {
          if (text(selector).contains("_window_seconds")
              || text(selector).contains("hdr_sla_actual")) {
            above.stream()
                .filter(operation -> !CHOOSING.contains(operation))
                .forEach(operation -> combined.add(operation + " of " + text(selector)));
          }
        });
    return combined;
  }

  private interface OnSelector {
    void found(JsonObject selector, List<String> operationsAbove);
  }

  private static void visit(Object node, List<String> above, OnSelector onSelector) {
    if (node instanceof JsonArray array) {
      array.forEach(each -> visit(each, above, onSelector));
    } else if (node instanceof JsonObject object) {
      String type = object.getString("type", "");
      if (type.equals("vectorSelector") || type.equals("matrixSelector")) {
        onSelector.found(object, above);
        return;
      }
      List<String> below = new ArrayList<>(above);
      if (type.equals("aggregation")) {
        below.add(object.getString("op"));
      } else if (type.equals("call")) {
        below.add(object.getJsonObject("func").getString("name"));
      }
      object.forEach(entry -> visit(entry.getValue(), below, onSelector));
    }
  }

  private static String text(JsonObject selector) {
    return selector.getJsonArray("matchers").stream()
        .map(JsonObject.class::cast)
        .map(
            m ->
                m.getString("name")
                    + m.getString("type")
                    + '"'
                    + escaped(m.getString("value"))
                    + '"')
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
