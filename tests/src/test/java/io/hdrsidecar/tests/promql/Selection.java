package io.hdrsidecar.tests.promql;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which series: a metric, and conditions on labels.
 *
 * @param nameInBraces whether the metric is written as a condition, too
 */
record Selection(String name, List<Match> matches, boolean nameInBraces) {
  /** A condition, {@code kind=~"resp.*"}. */
  record Match(String label, String operator, String value) {
    boolean holds(Map<String, String> labels) {
      String found = labels.getOrDefault(label, "");
      return switch (operator) {
        case "=" -> found.equals(value);
        case "!=" -> !found.equals(value);
        case "=~" -> found.matches(value);
        case "!~" -> !found.matches(value);
        default -> throw new IllegalStateException(operator);
      };
    }

    String text() {
      return label + operator + quoted(value);
    }
  }

  static String quoted(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  boolean has(RecordedSeries series) {
    return series.name().equals(name)
        && matches.stream().allMatch(match -> match.holds(series.labels()));
  }

  /** As PromQL, of the metric with a suffix such as {@code _bucket}, and further conditions. */
  String text(String suffix, String... more) {
    String metric = name + "_seconds" + suffix;
    String conditions =
        Stream.of(
                nameInBraces ? Stream.of("__name__=" + quoted(metric)) : Stream.<String>of(),
                matches.stream().map(Match::text),
                Stream.of(more))
            .flatMap(each -> each)
            .collect(Collectors.joining(", "));
    String front = nameInBraces ? "" : metric;
    return conditions.isEmpty() ? front : front + "{" + conditions + "}";
  }
}
