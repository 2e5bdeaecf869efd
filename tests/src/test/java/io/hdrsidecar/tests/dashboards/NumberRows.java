package io.hdrsidecar.tests.dashboards;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The rows of an answer with a number in them; nothing divided by nothing is none. */
final class NumberRows {
  private NumberRows() {}

  static int count(JsonArray result) {
    return (int) result.stream().filter(series -> !onlyNaN((JsonObject) series)).count();
  }

  private static boolean onlyNaN(JsonObject series) {
    if (series.containsKey("histogram") || series.containsKey("histograms")) {
      return false;
    }
    JsonArray samples =
        series.containsKey("value")
            ? new JsonArray().add(series.getJsonArray("value"))
            : series.getJsonArray("values");
    return samples.stream().allMatch(sample -> ((JsonArray) sample).getString(1).equals("NaN"));
  }
}
