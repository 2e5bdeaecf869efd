package io.hdrsidecar.tests.dashboards;

import io.hdrsidecar.tests.support.PrometheusApi;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of a dashboard's variables, asked of Prometheus as Grafana asks, and all ways to
 * choose.
 */
final class Choices {
  private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+),\\s*(\\w+)\\)");
  private static final Pattern LABEL_NAMES = Pattern.compile("label_names\\((\\w+)\\)");

  /** Grafana's number for sorting from Z to A. */
  private static final int DESCENDING = 2;

  /** Variables whose values are tried in every combination; of the others, each value once. */
  private static final Set<String> COMBINED = Set.of("series", "kind", "window", "sla");

  private final PrometheusApi prometheus;

  /** Everything found so far, by variable. */
  private final Map<String, Set<String>> found = new LinkedHashMap<>();

  Choices(PrometheusApi prometheus) {
    this.prometheus = prometheus;
  }

  /** Values found, by variable, over all calls. */
  Map<String, Set<String>> found() {
    return found;
  }

  /** What is chosen when the dashboard opens. */
  DashboardSelection first(DashboardSelection nothing) throws Exception {
    DashboardSelection selection = nothing;
    for (String name : nothing.names()) {
      List<String> values = values(selection, name);
      selection = selection.offered(name, values).with(name, values.get(0));
    }
    return selection;
  }

  /**
   * Every value of every variable at least once, those of dependent variables in all combinations.
   */
  Collection<DashboardSelection> all(DashboardSelection nothing) throws Exception {
    Set<Map<String, String>> seen = new LinkedHashSet<>();
    List<DashboardSelection> all = new ArrayList<>();
    for (String varied : nothing.names()) {
      List<DashboardSelection> selections = List.of(nothing);
      for (String name : nothing.names()) {
        boolean everyValue = name.equals(varied) || COMBINED.contains(name);
        List<DashboardSelection> next = new ArrayList<>();
        for (DashboardSelection selection : selections) {
          List<String> values = values(selection, name);
          for (String value : everyValue ? values : values.subList(0, 1)) {
            next.add(selection.offered(name, values).with(name, value));
          }
        }
        selections = next;
      }
      selections.stream().filter(selection -> seen.add(selection.values())).forEach(all::add);
    }
    return all;
  }

  /** The values of one variable, the one first that is chosen first. */
  List<String> values(DashboardSelection selection, String name) throws Exception {
    JsonObject variable = selection.variable(name);
    List<String> values =
        switch (variable.getString("type")) {
          case "datasource" -> List.of("prometheus");
          case "custom" -> List.of(variable.getString("query").split(","));
          case "textbox" -> List.of(variable.getString("query"));
          case "adhoc" -> List.of("");
          case "query" -> queried(selection, variable);
          default -> throw new IllegalStateException("a type this test does not know: " + variable);
        };
    found.computeIfAbsent(name, n -> new LinkedHashSet<>()).addAll(values);
    return values;
  }

  private List<String> queried(DashboardSelection selection, JsonObject variable) throws Exception {
    String query = selection.replaceIn(variable.getJsonObject("query").getString("query"));
    List<String> values = new ArrayList<>(filtered(ask(query), variable.getString("regex", "")));
    values.sort(
        variable.getInteger("sort") == DESCENDING
            ? Comparator.reverseOrder()
            : Comparator.naturalOrder());
    if (variable.getBoolean("includeAll", false)) {
      values.add(0, DashboardSelection.ALL);
    } else if (values.isEmpty()) {
      values.add(""); // None
    }
    Object current = variable.getJsonObject("current", new JsonObject()).getValue("value");
    if (current instanceof String preferred && values.remove(preferred)) {
      values.add(0, preferred);
    }
    return values;
  }

  private JsonArray ask(String query) throws Exception {
    Matcher values = LABEL_VALUES.matcher(query);
    if (values.matches()) {
      String path = "/api/v1/label/" + values.group(2) + "/values";
      return (JsonArray) prometheus.get(path, Map.of("match[]", values.group(1)));
    }
    Matcher names = LABEL_NAMES.matcher(query);
    if (names.matches()) {
      String selector = "{__name__=~\".*" + names.group(1) + ".*\"}";
      return (JsonArray) prometheus.get("/api/v1/labels", Map.of("match[]", selector));
    }
    throw new IllegalStateException("a query this test does not know: " + query);
  }

  /**
   * Only what the expression matches, and of that only its group; slashes around it are Grafana's.
   */
  private static Set<String> filtered(JsonArray values, String regex) {
    Pattern pattern =
        Pattern.compile(regex.isEmpty() ? ".*" : regex.substring(1, regex.length() - 1));
    Set<String> kept = new LinkedHashSet<>();
    for (Object value : values) {
      Matcher matcher = pattern.matcher((String) value);
      if (matcher.find()) {
        kept.add(matcher.groupCount() == 0 ? matcher.group() : matcher.group(1));
      }
    }
    return kept;
  }
}
