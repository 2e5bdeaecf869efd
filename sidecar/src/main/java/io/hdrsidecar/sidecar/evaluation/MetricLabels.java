package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.Condition;
import io.hdrsidecar.sidecar.promql.Grouping;
import io.hdrsidecar.sidecar.promql.Matching;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The labels of an element, its metric's name among them, in the order of their names. Immutable.
 */
public final class MetricLabels {
  /** None. */
  public static final MetricLabels EMPTY = new MetricLabels(new TreeMap<>());

  /** The edge of a classic bucket. */
  static final String LE = "le";

  /** What one takes besides its text. */
  private static final long BYTES = 96;

  private static final long LABEL_BYTES = 64;

  private final SortedMap<String, String> byName;
  private final int hash;

  /** Of the one thread that evaluates. */
  private @Nullable Map<String, MetricLabels> byEdge;

  private MetricLabels(SortedMap<String, String> byName) {
    this.byName = byName;
    this.hash = byName.hashCode();
  }

  /** Those of a series, with the name of a metric. */
  static MetricLabels of(String metric, Map<String, String> labels) {
    TreeMap<String, String> all = new TreeMap<>(labels);
    all.values().removeIf(String::isEmpty);
    all.put(Condition.NAME, metric);
    return new MetricLabels(all);
  }

  /** The same with another value of a label; without it if the value is empty. */
  MetricLabels with(String label, String value) {
    TreeMap<String, String> changed = new TreeMap<>(byName);
    if (value.isEmpty()) {
      changed.remove(label);
    } else {
      changed.put(label, value);
    }
    return new MetricLabels(changed);
  }

  /** The same as that of a classic bucket; kept, since the same are cut step by step. */
  MetricLabels edge(String le) {
    Map<String, MetricLabels> known = byEdge;
    if (known == null) {
      known = new HashMap<>();
      byEdge = known;
    }
    return known.computeIfAbsent(le, edge -> with(LE, edge));
  }

  /** The same without the metric's name. */
  MetricLabels withoutName() {
    return byName.containsKey(Condition.NAME) ? with(Condition.NAME, "") : this;
  }

  /** Those that an aggregation keeps. */
  MetricLabels grouped(Grouping grouping) {
    return only(grouping::keeps);
  }

  /** Those by which elements of two vectors belong together. */
  MetricLabels matched(Matching matching) {
    return only(
        label ->
            matching.on() == matching.labels().contains(label)
                && (matching.on() || !label.equals(Condition.NAME)));
  }

  private MetricLabels only(Predicate<String> kept) {
    TreeMap<String, String> some = new TreeMap<>(byName);
    some.keySet().removeIf(kept.negate());
    return some.size() == byName.size() ? this : new MetricLabels(some);
  }

  /** The value of a label; empty for none. */
  public String get(String label) {
    return byName.getOrDefault(label, "");
  }

  /** Visits all in the order of their names. */
  public void forEach(BiConsumer<String, String> visitor) {
    byName.forEach(visitor);
  }

  /** About how many bytes it takes. */
  long cost() {
    long chars = 0;
    for (Map.Entry<String, String> each : byName.entrySet()) {
      chars += each.getValue().length();
    }
    return BYTES + LABEL_BYTES * byName.size() + 2 * chars;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MetricLabels labels
        && hash == labels.hash
        && byName.equals(labels.byName);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** As in PromQL. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(get(Condition.NAME)).append('{');
    byName.forEach(
        (name, value) -> {
          if (!name.equals(Condition.NAME)) {
            text.append(text.charAt(text.length() - 1) == '{' ? "" : ", ")
                .append(name)
                .append("=\"")
                .append(value)
                .append('"');
          }
        });
    return text.append('}').toString();
  }
}
