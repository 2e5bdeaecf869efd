package io.hdrsidecar.tests.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.HdrHistogram.Histogram;

/** The same numbers from three sides: the page, the API, and HdrHistogram. */
final class Numbers {
  private Numbers() {}

  /**
   * Asserts that a line of the explorer's table says what the API says.
   *
   * @return what both say, by percentile
   */
  static Map<String, Long> assertAsByApi(
      Explorer explorer, int line, String selector, long startMillis, long endMillis, long count) {
    explorer.awaitCount(line, count);
    Map<String, Long> shown = explorer.percentiles(line);
    assertThat(shown).containsKeys("50", "100");
    JsonObject api =
        explorer.histogram(
            selector,
            "&start="
                + Explorer.time(startMillis)
                + "&end="
                + Explorer.time(endMillis)
                + "&percentiles="
                + String.join(",", shown.keySet()));
    assertThat(api.getLong("count")).isEqualTo(count);
    Map<String, Long> ofApi = new LinkedHashMap<>();
    api.getJsonArray("percentiles")
        .forEach(
            each -> {
              JsonObject row = (JsonObject) each;
              ofApi.put(row.getValue("percentile").toString(), row.getLong("value"));
            });
    assertThat(shown).as("the page").isEqualTo(ofApi);
    noteEqual(explorer, selector, startMillis, endMillis, shown + " as by the API");
    return shown;
  }

  /** Asserts that a line of the explorer's table says what the API and HdrHistogram say. */
  static void assertShown(
      Explorer explorer,
      int line,
      String selector,
      long startMillis,
      long endMillis,
      Histogram expected) {
    Map<String, Long> shown =
        assertAsByApi(explorer, line, selector, startMillis, endMillis, expected.getTotalCount());
    assertThat(shown).containsKeys("50", "90", "99", "99.9", "100");
    shown.forEach(
        (percentile, value) ->
            assertThat(value)
                .as("p%s by HdrHistogram", percentile)
                .isEqualTo(expected.getValueAtPercentile(Double.parseDouble(percentile))));
    noteEqual(explorer, selector, startMillis, endMillis, "as by HdrHistogram");
  }

  private static void noteEqual(
      Explorer explorer, String selector, long startMillis, long endMillis, String what) {
    explorer
        .notes()
        .add(
            String.join(
                " ",
                selector,
                "from",
                Explorer.time(startMillis),
                "to",
                Explorer.time(endMillis) + ":",
                what));
  }

  /** Values and counts of all buckets that are not empty. */
  static List<List<Long>> bucketsOf(Histogram histogram) {
    return StreamSupport.stream(histogram.recordedValues().spliterator(), false)
        .map(
            each ->
                List.of(
                    histogram.highestEquivalentValue(each.getValueIteratedTo()),
                    each.getCountAtValueIteratedTo()))
        .toList();
  }
}
