package io.hdrsidecar.sidecar.demo;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the sidecar says about one series; times in nanoseconds.
 *
 * @param count number of values
 * @param mean exact sum divided by count
 * @param min smallest value, exact
 * @param max largest value, exact
 * @param percentiles value by percentile, 0..100
 */
record SeriesStatistics(
    long count, double mean, long min, long max, SortedMap<Double, Long> percentiles) {

  /** Reads the {@code data} of an answer to {@code /api/v1/histogram} that counts at least one. */
  static SeriesStatistics of(JsonObject data) {
    long count = data.getLong("count");
    TreeMap<Double, Long> percentiles = new TreeMap<>();
    JsonArray listed = data.getJsonArray("percentiles");
    for (int i = 0; i < listed.size(); i++) {
      JsonObject each = listed.getJsonObject(i);
      percentiles.put(each.getDouble("percentile"), each.getLong("value"));
    }
    return new SeriesStatistics(
        count,
        data.getNumber("sum").doubleValue() / count,
        data.getLong("min"),
        data.getLong("max"),
        percentiles);
  }

  /**
   * The value at a percentile, in nanoseconds.
   *
   * @throws IllegalArgumentException when it was not asked for
   */
  long at(double percentile) {
    Long value = percentiles.get(percentile);
    if (value == null) {
      throw new IllegalArgumentException("not among " + percentiles.keySet() + ": " + percentile);
    }
    return value;
  }
}
