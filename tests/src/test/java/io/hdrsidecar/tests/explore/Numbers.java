package io.hdrsidecar.tests.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.HdrHistogram.Histogram;

/** The same numbers from three sides: the page, the API, and HdrHistogram. */
final class Numbers {
  private Numbers() {}

  /** What a range of a series has by the API; both times as RFC 3339. */
  static JsonObject ofApi(
      SidecarProcess sidecar, String selector, String start, String end, Set<String> percentiles)
      throws Exception {
    String parameters = "&start=" + start + "&end=" + end;
    return sidecar.histogram(
        selector, parameters + "&percentiles=" + String.join(",", percentiles));
  }

  /** Asserts that a line of the explorer's table says what the API and HdrHistogram say. */
  static void assertShown(
      Explorer explorer,
      int line,
      SidecarProcess sidecar,
      String selector,
      long startMillis,
      long endMillis,
      Histogram expected)
      throws Exception {
    explorer.awaitCount(line, expected.getTotalCount());
    Map<String, Long> shown = explorer.percentiles(line);
    assertThat(shown).containsKeys("50", "90", "99", "99.9", "100");
    JsonObject api =
        ofApi(
            sidecar,
            selector,
            Explorer.time(startMillis),
            Explorer.time(endMillis),
            shown.keySet());
    assertThat(api.getLong("count")).isEqualTo(expected.getTotalCount());
    Map<String, Long> ofApi = new LinkedHashMap<>();
    api.getJsonArray("percentiles")
        .forEach(
            each -> {
              JsonObject row = (JsonObject) each;
              ofApi.put(row.getValue("percentile").toString(), row.getLong("value"));
            });
    assertThat(shown).as("the page").isEqualTo(ofApi);
    shown.forEach(
        (percentile, value) ->
            assertThat(value)
                .as("p%s by HdrHistogram", percentile)
                .isEqualTo(expected.getValueAtPercentile(Double.parseDouble(percentile))));
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
