package io.hdrsidecar.sidecar.prometheus;

import io.hdrsidecar.sidecar.answer.JsonText;
import io.hdrsidecar.sidecar.evaluation.EvaluatedResult;
import io.hdrsidecar.sidecar.evaluation.MetricLabels;
import io.hdrsidecar.sidecar.evaluation.ResultHistogram;
import io.hdrsidecar.sidecar.evaluation.ResultSeries;
import io.hdrsidecar.sidecar.promql.FloatText;
import io.hdrsidecar.sidecar.promql.ValueType;
import io.hdrsidecar.sidecar.query.QueryException;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/**
 * Results as JSON, as Prometheus has them.
 *
 * @see <a href="https://prometheus.io/docs/prometheus/latest/querying/api/">HTTP API</a>
 */
final class ResultJson {
  /** A bucket has its lower edge and not its upper one. */
  private static final int OPEN_RIGHT = 1;

  private ResultJson() {}

  static void write(JsonText json, EvaluatedResult result) throws IOException, QueryException {
    json.beginObject();
    json.field("resultType", result.type().resultType());
    json.field("result");
    switch (result.type()) {
      case SCALAR -> pair(json, result.timeMillis(), FloatText.ofSample(result.scalar()));
      case STRING -> pair(json, result.timeMillis(), result.text());
      default -> {
        json.beginArray();
        for (ResultSeries each : result.series()) {
          write(json, each, result.type() == ValueType.MATRIX);
        }
        json.endArray();
      }
    }
    json.endObject();
  }

  private static void write(JsonText json, ResultSeries series, boolean isMatrix)
      throws IOException, QueryException {
    json.beginObject();
    json.field("metric", labels(series.labels()));
    if (series.size() > 0) {
      json.field(isMatrix ? "values" : "value");
      begin(json, isMatrix);
      for (int i = 0; i < series.size(); i++) {
        pair(json, series.timeAt(i), FloatText.ofSample(series.valueAt(i)));
      }
      end(json, isMatrix);
    }
    if (!series.histograms().isEmpty()) {
      json.field(isMatrix ? "histograms" : "histogram");
      begin(json, isMatrix);
      for (int i = 0; i < series.histograms().size(); i++) {
        json.beginArray();
        json.write(seconds(series.histogramTimeAt(i)));
        write(json, series.histograms().get(i));
        json.endArray();
      }
      end(json, isMatrix);
    }
    json.endObject();
  }

  private static void begin(JsonText json, boolean isMatrix) throws IOException {
    if (isMatrix) {
      json.beginArray();
    }
  }

  private static void end(JsonText json, boolean isMatrix) throws IOException {
    if (isMatrix) {
      json.endArray();
    }
  }

  private static void write(JsonText json, ResultHistogram histogram)
      throws IOException, QueryException {
    json.beginObject();
    json.field("count", FloatText.ofSample(histogram.count()));
    json.field("sum", FloatText.ofSample(histogram.sum()));
    if (histogram.size() > 0) {
      json.field("buckets");
      json.beginArray();
      for (int i = 0; i < histogram.size(); i++) {
        json.beginArray();
        json.write(OPEN_RIGHT);
        json.write(FloatText.ofSample(histogram.fromAt(i)));
        json.write(FloatText.ofSample(histogram.toAt(i)));
        json.write(FloatText.ofSample(histogram.countAt(i)));
        json.endArray();
      }
      json.endArray();
    }
    json.endObject();
  }

  static Map<String, String> labels(MetricLabels labels) {
    Map<String, String> map = new TreeMap<>();
    labels.forEach(map::put);
    return map;
  }

  private static void pair(JsonText json, long millis, String value)
      throws IOException, QueryException {
    json.beginArray();
    json.write(seconds(millis));
    json.write(value);
    json.endArray();
  }

  /** Seconds since the epoch, whole or with milliseconds. */
  static Object seconds(long millis) {
    return millis % 1000 == 0 ? (Object) (millis / 1000) : BigDecimal.valueOf(millis, 3);
  }
}
