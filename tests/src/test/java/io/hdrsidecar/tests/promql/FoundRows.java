package io.hdrsidecar.tests.promql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** An answer beside where its numbers must lie. */
final class FoundRows {
  private FoundRows() {}

  /**
   * What is wrong, or nothing.
   *
   * @param source who says where they must lie
   */
  static List<String> of(Map<Map<String, String>, Double> found, Expected expected, String source) {
    List<String> wrong = new ArrayList<>();
    Map<Map<String, String>, Double> surplus = new LinkedHashMap<>(found);
    for (ExpectedRow row : expected.rows()) {
      Double number = surplus.remove(row.labels());
      if (number == null) {
        if (row.isCertain() && !row.value().isNaN()) {
          wrong.add(row.labels() + " is missing, " + row.value() + " by " + source);
        }
      } else if (!row.value().has(number)) {
        wrong.add(row.labels() + " is " + number + ", not " + row.value() + " as by " + source);
      }
    }
    if (!surplus.isEmpty()) {
      wrong.add("not there by " + source + ": " + surplus);
    }
    if (expected.size().isPresent() && expected.size().getAsInt() != found.size()) {
      wrong.add(found.size() + " rows, not " + expected.size().getAsInt() + " as by " + source);
    }
    return wrong;
  }

  /** Rows that must or may be there, and how many of them. */
  record Expected(List<ExpectedRow> rows, OptionalInt size) {
    /** Of these figures, after what is done with them. */
    static Expected of(List<ExpectedRow> figures, List<Outer> outer) {
      List<ExpectedRow> rows = figures;
      OptionalInt size = OptionalInt.empty();
      for (Outer each : outer) {
        if (each instanceof Outer.Top top) {
          long numbers = rows.stream().filter(row -> !row.value().isNaN()).count();
          size = OptionalInt.of((int) Math.min(top.count(), numbers));
        }
        rows = each.apply(rows);
      }
      return new Expected(rows, size);
    }
  }
}
