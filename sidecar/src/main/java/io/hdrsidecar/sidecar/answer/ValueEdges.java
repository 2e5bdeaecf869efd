package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.reading.Distribution;
import io.vertx.core.json.JsonArray;
import java.util.Arrays;

/**
 * Value buckets of a heat map: whole numbers at equal distances on a logarithmic scale, from the
 * least value to the greatest. Bucket i has the values from edge i to below edge i + 1.
 *
 * <p>A counter of the histogram is never split: all of it counts in the bucket that holds its
 * highest value, or the least or greatest value if that is nearer, as percentiles have it. So the
 * counts of all buckets add up to the count, and a value is off by its counter's width at most.
 */
final class ValueEdges {
  private final long[] edges;

  private ValueEdges(long[] edges) {
    this.edges = edges;
  }

  /**
   * Divides the values from {@code min} to {@code max}.
   *
   * @param buckets at most so many; fewer where whole numbers do not divide so finely
   */
  static ValueEdges between(long min, long max, int buckets) {
    long end = max == Long.MAX_VALUE ? max : max + 1;
    long from = Math.max(min, 1);
    long[] edges = new long[buckets + 2];
    int size = 0;
    edges[size++] = min;
    int rest = min < from && buckets > 1 ? buckets - 1 : buckets;
    double ratio = (double) end / from;
    for (int i = rest == buckets ? 1 : 0; i < rest; i++) {
      long edge = Math.round(from * Math.pow(ratio, (double) i / rest));
      if (edge > edges[size - 1] && edge < end) {
        edges[size++] = edge;
      }
    }
    edges[size++] = end;
    return new ValueEdges(Arrays.copyOf(edges, size));
  }

  int buckets() {
    return edges.length - 1;
  }

  /** How many values lie in each bucket. */
  long[] counts(Distribution distribution) {
    long[] counts = new long[buckets()];
    int bucket = 0;
    for (int i = 0; i < distribution.size(); i++) {
      long value = distribution.withinExtremes(distribution.highestAt(i));
      while (bucket < counts.length - 1 && value >= edges[bucket + 1]) {
        bucket++;
      }
      counts[bucket] += distribution.countAt(i);
    }
    return counts;
  }

  JsonPart json() {
    return json -> json.array(edges);
  }

  /** The same for those who have few. */
  JsonArray array() {
    JsonArray array = new JsonArray();
    Arrays.stream(edges).forEach(array::add);
    return array;
  }
}
