package io.hdrsidecar.tests.promql;

import static io.hdrsidecar.tests.promql.RecordedSeries.NANOS;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What a scrape at the end of each second has of a series, as lines for prometheus-write. */
record ScrapedSeries(RecordedSeries series, long originMillis) {
  /** As the sidecar has them by default, and as Prometheus writes them. */
  static final List<String> EDGES =
      List.of(
          "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0",
          "+Inf");

  /** 2 to the 3rd buckets for each doubling. */
  static final int SCHEMA = 3;

  private static final int PER_DOUBLING = 1 << SCHEMA;

  /** The native bucket of a value: above the edge of the index before, up to that of its own. */
  static int bucketOf(double value) {
    int index = (int) Math.ceil(Math.log(value) / Math.log(2) * PER_DOUBLING);
    while (edge(index - 1) >= value) {
      index--; // by rounding
    }
    while (edge(index) < value) {
      index++;
    }
    return index;
  }

  /** Upper edge of a native bucket. */
  static double edge(int index) {
    return Math.pow(2, (double) index / PER_DOUBLING);
  }

  static double parsed(String edge) {
    return edge.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(edge);
  }

  Stream<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(counter("_count", Map.of(), value -> 1));
    lines.add(counter("_sum", Map.of(), value -> value));
    for (String edge : EDGES) {
      double limit = parsed(edge);
      lines.add(counter("_bucket", Map.of("le", edge), value -> value <= limit ? 1 : 0));
    }
    lines.add(nativeHistogram());
    return lines.stream();
  }

  /** What the values so far add up to, after each second. */
  private String counter(String suffix, Map<String, String> more, ToDoubleFunction<Double> of) {
    JsonArray values = new JsonArray();
    double so = 0;
    for (long[] second : series.seconds()) {
      for (long value : second) {
        so += of.applyAsDouble(value / NANOS);
      }
      values.add(so);
    }
    return line(suffix, more).put("values", values).encode();
  }

  private String nativeHistogram() {
    JsonArray histograms = new JsonArray();
    TreeMap<Integer, Long> buckets = new TreeMap<>();
    long count = 0;
    double sum = 0;
    for (long[] second : series.seconds()) {
      for (long value : second) {
        buckets.merge(bucketOf(value / NANOS), 1L, Long::sum);
        count++;
        sum += value / NANOS;
      }
      JsonObject so = new JsonObject();
      buckets.forEach((index, counted) -> so.put(index.toString(), counted));
      histograms.add(new JsonObject().put("count", count).put("sum", sum).put("buckets", so));
    }
    return line("", Map.of()).put("schema", SCHEMA).put("histograms", histograms).encode();
  }

  private JsonObject line(String suffix, Map<String, String> more) {
    Map<String, Object> labels = new TreeMap<>(series.labels());
    labels.putAll(more);
    labels.put("__name__", series.metric() + suffix);
    JsonArray times = new JsonArray();
    for (int second = 1; second <= series.seconds().size(); second++) {
      times.add(originMillis + second * 1000L);
    }
    return new JsonObject().put("labels", new JsonObject(labels)).put("times", times);
  }
}
