package io.hdrsidecar.tests.crash;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/**
 * What a sidecar has counted beside what threads say they have recorded, value by value: each has a
 * bucket of its own, and belongs to one series.
 *
 * @param recorded records that had returned
 * @param inFlight records that had begun, had not returned, and are counted
 * @param lost records that had returned and are not counted
 * @param doubled counts of records that had not even begun
 * @param strange counts of values that nobody records
 */
public record Comparison(long recorded, long inFlight, long lost, long doubled, long strange) {
  static final Comparison NONE = new Comparison(0, 0, 0, 0, 0);

  /** Of the {@code data} of an answer with {@code buckets=true} that merges all series. */
  public static Comparison of(Truth truth, JsonObject total) {
    Map<Integer, Long> counted = new HashMap<>();
    JsonArray buckets = total.getJsonArray("buckets");
    for (int i = 0; i < buckets.size(); i++) {
      JsonObject bucket = buckets.getJsonObject(i);
      for (int number = 0; number < Truth.VALUES; number++) {
        long nanos = Truth.value(number);
        if (nanos >= bucket.getLong("lowest") && nanos <= bucket.getLong("highest")) {
          counted.put(number, bucket.getLong("count"));
        }
      }
    }
    long known = counted.values().stream().mapToLong(Long::longValue).sum();
    Comparison comparison = new Comparison(0, 0, 0, 0, total.getLong("count") - known);
    for (int number = 0; number < Truth.VALUES; number++) {
      comparison = comparison.and(of(truth, number, counted.getOrDefault(number, 0L)));
    }
    return comparison;
  }

  private static Comparison of(Truth truth, int number, long count) {
    long returned = truth.returned(number);
    return new Comparison(
        returned,
        Math.max(0, Math.min(count, truth.begun(number)) - returned),
        Math.max(0, returned - count),
        Math.max(0, count - truth.begun(number)),
        0);
  }

  Comparison and(Comparison other) {
    return new Comparison(
        recorded + other.recorded,
        inFlight + other.inFlight,
        lost + other.lost,
        doubled + other.doubled,
        strange + other.strange);
  }

  /** Whether nothing is wrong. */
  public boolean isExact() {
    return lost == 0 && doubled == 0 && strange == 0;
  }
}
