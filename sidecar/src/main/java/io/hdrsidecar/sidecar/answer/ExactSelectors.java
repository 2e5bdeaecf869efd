package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.internal.interval.SeriesKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Selectors that match one series alone. {@code checkout{route="/pay"}} would match {@code
 * checkout{pod="a",route="/pay"}} as well; so labels that others of its name have and a series has
 * not are asked to be empty.
 */
final class ExactSelectors {
  private final Map<String, SortedSet<String>> labelsByName = new HashMap<>();

  /** Selectors that are exact among these series. */
  ExactSelectors(Collection<SeriesKey> all) {
    for (SeriesKey each : all) {
      SortedSet<String> labels = labelsByName.computeIfAbsent(each.name(), none -> new TreeSet<>());
      labels.addAll(each.labels().asMap().keySet());
    }
  }

  String of(SeriesKey series) {
    String text = series.toString();
    Map<String, String> has = series.labels().asMap();
    String absent =
        labelsByName.getOrDefault(series.name(), new TreeSet<>()).stream()
            .filter(label -> !has.containsKey(label))
            .map(label -> label + "=\"\"")
            .collect(Collectors.joining(","));
    if (absent.isEmpty()) {
      return text;
    }
    return has.isEmpty()
        ? text + "{" + absent + "}"
        : text.substring(0, text.length() - 1) + "," + absent + "}";
  }
}
