package io.hdrsidecar.tests.promql;

import static io.hdrsidecar.tests.promql.Selection.quoted;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/** What is done with figures: as text, and with where they must lie. */
sealed interface Outer {
  /** The query around another. */
  String text(String of);

  /** What is expected of it. */
  List<ExpectedRow> apply(List<ExpectedRow> rows);

  /** Arithmetic with a number, which is on the left or on the right. */
  record Arithmetic(String operator, double number, boolean isLeft) implements Outer {
    @Override
    public String text(String of) {
      return isLeft ? number + " " + operator + " " + of : of + " " + operator + " " + number;
    }

    @Override
    public List<ExpectedRow> apply(List<ExpectedRow> rows) {
      DoubleUnaryOperator by =
          switch (operator) {
            case "+" -> x -> x + number;
            case "-" -> x -> isLeft ? number - x : x - number;
            case "*" -> x -> x * number;
            case "/" -> x -> isLeft ? number / x : x / number;
            default -> throw new IllegalStateException(operator);
          };
      return rows.stream().map(row -> row.withoutName(row.value().map(by))).toList();
    }
  }

  /** A comparison with a number: keeps what it holds for, or says 1 and 0. */
  record Compared(String operator, double number, boolean isBool) implements Outer {
    @Override
    public String text(String of) {
      return of + " " + operator + (isBool ? " bool " : " ") + number;
    }

    @Override
    public List<ExpectedRow> apply(List<ExpectedRow> rows) {
      List<ExpectedRow> kept = new ArrayList<>();
      for (ExpectedRow row : rows) {
        boolean low = holds(row.value().low());
        boolean high = holds(row.value().high());
        if (isBool) {
          kept.add(row.withoutName(new Interval(low && high ? 1 : 0, low || high ? 1 : 0)));
        } else if (low || high) {
          kept.add(low && high ? row : row.uncertain());
        }
      }
      return kept;
    }

    private boolean holds(double value) {
      return switch (operator) {
        case ">" -> value > number;
        case "<" -> value < number;
        case ">=" -> value >= number;
        case "<=" -> value <= number;
        default -> throw new IllegalStateException(operator);
      };
    }
  }

  /** The greatest or the least of them. */
  record Top(int count, boolean isBottom) implements Outer {
    @Override
    public String text(String of) {
      return (isBottom ? "bottomk(" : "topk(") + count + ", " + of + ")";
    }

    @Override
    public List<ExpectedRow> apply(List<ExpectedRow> rows) {
      List<ExpectedRow> kept = new ArrayList<>();
      for (ExpectedRow row : rows) {
        long surelyBefore = rows.stream().filter(other -> isBefore(other, row)).count();
        long surelyAfter = rows.stream().filter(other -> isBefore(row, other)).count();
        if (surelyBefore < count) {
          kept.add(rows.size() - surelyAfter <= count ? row : row.uncertain());
        }
      }
      return kept;
    }

    /** Beyond what rounding may have made of the same number. */
    private boolean isBefore(ExpectedRow one, ExpectedRow other) {
      boolean isBefore =
          isBottom
              ? one.value().high() < other.value().low()
              : one.value().low() > other.value().high();
      return isBefore && !one.value().meets(other.value());
    }
  }

  /** Sorted, which changes no number. */
  record Sorted(boolean isDescending) implements Outer {
    @Override
    public String text(String of) {
      return (isDescending ? "sort_desc(" : "sort(") + of + ")";
    }

    @Override
    public List<ExpectedRow> apply(List<ExpectedRow> rows) {
      return rows;
    }
  }

  /** Figures of several series taken together. */
  record Together(String aggregator, KeptLabels grouping) implements Outer {
    @Override
    public String text(String of) {
      return grouping.text(aggregator, of);
    }

    @Override
    public List<ExpectedRow> apply(List<ExpectedRow> rows) {
      Map<Map<String, String>, List<ExpectedRow>> groups = new LinkedHashMap<>();
      for (ExpectedRow row : rows) {
        groups.computeIfAbsent(grouping.of(row.labels()), l -> new ArrayList<>()).add(row);
      }
      List<ExpectedRow> all = new ArrayList<>();
      groups.forEach((labels, group) -> all.add(new ExpectedRow(labels, together(group), true)));
      return all;
    }

    private Interval together(List<ExpectedRow> rows) {
      BiFunction<DoubleStream, Integer, Double> by =
          switch (aggregator) {
            case "sum" -> (values, n) -> values.sum();
            case "max" -> (values, n) -> values.max().orElseThrow();
            case "min" -> (values, n) -> values.min().orElseThrow();
            case "avg" -> (values, n) -> values.sum() / n;
            case "count" -> (values, n) -> (double) n;
            default -> throw new IllegalStateException(aggregator);
          };
      return new Interval(
          by.apply(rows.stream().mapToDouble(row -> row.value().low()), rows.size()),
          by.apply(rows.stream().mapToDouble(row -> row.value().high()), rows.size()));
    }
  }

  /** A label made from another. */
  record Relabelled(String label, String from, String expression, String to) implements Outer {
    @Override
    public String text(String of) {
      return "label_replace("
          + String.join(", ", of, quoted(label), quoted(to), quoted(from), quoted(expression))
          + ")";
    }

    @Override
    public List<ExpectedRow> apply(List<ExpectedRow> rows) {
      return rows.stream().map(row -> row.with(relabelled(row.labels()))).toList();
    }

    private Map<String, String> relabelled(Map<String, String> labels) {
      String found = labels.getOrDefault(from, "");
      Map<String, String> changed = new TreeMap<>(labels);
      if (found.matches(expression)) {
        String made = found.replaceAll("^(?:" + expression + ")$", to);
        if (made.isEmpty()) {
          changed.remove(label);
        } else {
          changed.put(label, made);
        }
      }
      return changed;
    }
  }
}
