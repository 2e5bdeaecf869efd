package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sums and gauges, written by protobuf's own library, and the page that shows them. */
final class NumberRequests {
  private NumberRequests() {}

  /** An intake that keeps so many counters and gauges. */
  static TakenRequests keeping(int most) {
    return new TakenRequests(MergeConfig.defaults(), 5, List.of(), most);
  }

  /** A monotonic sum without a unit. */
  static Metric counter(String name, boolean isDelta, NumberDataPoint.Builder... points) {
    return sum(name, "", true, isDelta, points);
  }

  /** A sum that may fall, without a unit. */
  static Metric upDown(String name, boolean isDelta, NumberDataPoint.Builder... points) {
    return sum(name, "", false, isDelta, points);
  }

  static Metric sum(
      String name,
      String unit,
      boolean isMonotonic,
      boolean isDelta,
      NumberDataPoint.Builder... points) {
    Sum.Builder data =
        Sum.newBuilder()
            .setIsMonotonic(isMonotonic)
            .setAggregationTemporality(
                isDelta
                    ? AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA
                    : AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
    for (NumberDataPoint.Builder point : points) {
      data.addDataPoints(point);
    }
    return Metric.newBuilder().setName(name).setUnit(unit).setSum(data).build();
  }

  static Metric gauge(String name, String unit, NumberDataPoint.Builder... points) {
    Gauge.Builder data = Gauge.newBuilder();
    for (NumberDataPoint.Builder point : points) {
      data.addDataPoints(point);
    }
    return Metric.newBuilder().setName(name).setUnit(unit).setGauge(data).build();
  }

  /** A point; times are seconds after the sidecar began. */
  static NumberDataPoint.Builder number(double start, double end, double value) {
    return at(start, end).setAsDouble(value);
  }

  static NumberDataPoint.Builder whole(double start, double end, long value) {
    return at(start, end).setAsInt(value);
  }

  static NumberDataPoint.Builder at(double start, double end) {
    return NumberDataPoint.newBuilder()
        .setStartTimeUnixNano(TakenRequests.nanos(start))
        .setTimeUnixNano(TakenRequests.nanos(end));
  }

  /** Lines of the page that are no comments. */
  static List<String> page(TakenRequests taken) throws IOException {
    return text(taken).lines().filter(line -> !line.startsWith("#")).toList();
  }

  static String text(TakenRequests taken) throws IOException {
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(taken.families);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.builder().build().write(bytes, registry.scrape());
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
