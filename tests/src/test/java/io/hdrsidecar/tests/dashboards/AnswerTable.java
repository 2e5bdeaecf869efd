package io.hdrsidecar.tests.dashboards;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What every panel's queries returned: the fewest and the most rows over all that can be chosen.
 */
final class AnswerTable {
  private final Map<List<String>, Row> rows = new LinkedHashMap<>();

  private static final class Row {
    private final Map<String, Integer> asked = new LinkedHashMap<>();
    private int fewest = Integer.MAX_VALUE;
    private int most;
  }

  void add(Dashboard dashboard, Dashboard.Panel panel, Dashboard.Query query, int returned) {
    Row row = rows.computeIfAbsent(List.of(dashboard.uid(), panel.title()), key -> new Row());
    row.asked.merge(query.expression(), 1, Integer::sum);
    row.fewest = Math.min(row.fewest, returned);
    row.most = Math.max(row.most, returned);
  }

  /** How often a query was asked, all together. */
  int asked() {
    return rows.values().stream()
        .flatMap(row -> row.asked.values().stream())
        .mapToInt(Integer::intValue)
        .sum();
  }

  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add(line("dashboard", "panel", "queries", "asked", "rows"));
    rows.forEach(
        (key, row) ->
            lines.add(
                line(
                    key.get(0),
                    key.get(1),
                    row.asked.size(),
                    row.asked.values().stream().mapToInt(Integer::intValue).sum(),
                    row.fewest == row.most ? row.fewest : row.fewest + ".." + row.most)));
    return String.join(System.lineSeparator(), lines);
  }

  private static String line(Object... cells) {
    return String.format(Locale.ROOT, "%-20s  %-40s %7s %6s  %s", cells);
  }
}
