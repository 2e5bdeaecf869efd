package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.merge.SeriesTotals;
import io.hdrsidecar.sidecar.metric.MetricValues;
import io.hdrsidecar.sidecar.otlp.OtlpIntake.Outcome;
import io.hdrsidecar.sidecar.plain.PlainFamilies;
import io.hdrsidecar.sidecar.plain.PlainSource;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * An intake above a store; the thread of the test takes requests and merges. What it takes was
 * written by protobuf's own library. Times are seconds after the sidecar began.
 */
final class TakenRequests {
  /** When the sidecar began, milliseconds since the epoch. */
  static final long BEGAN = 1_700_000_000_000L;

  final SeriesStore store;
  final OtlpCounters counters = new OtlpCounters();
  final HeapShare share = HeapBudget.of(8L << 30).share(HeapBudget.Use.SCRAPES).atMost(1 << 20);
  final CumulativeStreams streams = new CumulativeStreams(share.claim(), BEGAN);
  long nowMillis = BEGAN + 60_000;
  final PlainFamilies families;
  final PlainSource plain;
  private final OtlpIntake intake;

  TakenRequests() {
    this(MergeConfig.defaults(), 5, List.of());
  }

  TakenRequests(MergeConfig limits, int finestScale, List<String> promoted) {
    this(limits, finestScale, promoted, 0);
  }

  /** With so many counters and gauges, which end after a minute. */
  TakenRequests(MergeConfig limits, int finestScale, List<String> promoted, int mostPlain) {
    store = new SeriesStore(limits);
    families = new PlainFamilies(Duration.ofMinutes(1), store);
    plain = families.source("OTLP", mostPlain, share.claim());
    InstantSource clock = () -> Instant.ofEpochMilli(nowMillis);
    intake =
        new OtlpIntake(
            new OtlpNaming(promoted),
            streams,
            new PointMerger(store, Runnable::run, Runnable::run, finestScale),
            counters,
            new Rejections(counters, new OtlpLog(System::nanoTime), /* tellsNotKept= */ true),
            clock,
            mostPlain == 0 ? null : plain);
  }

  /** Takes bytes. */
  Outcome take(byte[] request) throws MalformedOtlpException, InterruptedException {
    return intake.take(new WireReader(request));
  }

  /** Takes a request in JSON. */
  Outcome takeJson(String request) throws MalformedOtlpException, InterruptedException {
    byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
    return intake.take(JsonRequest.read(bytes, bytes.length, HeapClaim.unbounded()));
  }

  /** Takes metrics of a resource without attributes. */
  Outcome take(Metric... metrics) throws Exception {
    return take(request(metrics).toByteArray());
  }

  /** What the sidecar says about itself; the label is empty if the name says all. */
  double metric(String name, String label) {
    return MetricValues.value(counters.metrics(() -> 0, plain::size), name, label);
  }

  static ExportMetricsServiceRequest request(Metric... metrics) {
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .addScopeMetrics(ScopeMetrics.newBuilder().addAllMetrics(List.of(metrics))))
        .build();
  }

  static Metric exponential(
      String name, boolean isDelta, ExponentialHistogramDataPoint.Builder... points) {
    ExponentialHistogram.Builder data =
        ExponentialHistogram.newBuilder().setAggregationTemporality(temporality(isDelta));
    for (ExponentialHistogramDataPoint.Builder point : points) {
      data.addDataPoints(point);
    }
    return Metric.newBuilder().setName(name).setUnit("s").setExponentialHistogram(data).build();
  }

  static Metric explicit(String name, boolean isDelta, HistogramDataPoint.Builder... points) {
    Histogram.Builder data = Histogram.newBuilder().setAggregationTemporality(temporality(isDelta));
    for (HistogramDataPoint.Builder point : points) {
      data.addDataPoints(point);
    }
    return Metric.newBuilder().setName(name).setUnit("s").setHistogram(data).build();
  }

  private static AggregationTemporality temporality(boolean isDelta) {
    return isDelta
        ? AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA
        : AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;
  }

  /** A point of base-2 buckets from a first one on; its count is theirs and no value is 0. */
  static ExponentialHistogramDataPoint.Builder base2(
      double start, double end, int scale, int offset, long... counts) {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(nanos(start))
            .setTimeUnixNano(nanos(end))
            .setScale(scale);
    long total = 0;
    point.getPositiveBuilder().setOffset(offset);
    for (long count : counts) {
      point.getPositiveBuilder().addBucketCounts(count);
      total += count;
    }
    return point.setCount(total);
  }

  /** A point with bounds of 1, 2, ... seconds. */
  static HistogramDataPoint.Builder bounded(double start, double end, long... counts) {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(nanos(start))
            .setTimeUnixNano(nanos(end));
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      if (i > 0) {
        point.addExplicitBounds(i);
      }
      point.addBucketCounts(counts[i]);
      total += counts[i];
    }
    return point.setCount(total);
  }

  static long nanos(double seconds) {
    return BEGAN * 1_000_000 + (long) (seconds * 1e9);
  }

  static KeyValue attribute(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  /** What a series has counted. */
  SeriesTotals total(String name, String... labels) {
    SeriesTotals totals = new SeriesTotals();
    series(name, labels).readTotals(totals);
    return totals;
  }

  Series series(String name, String... labels) {
    return store
        .find(new SeriesKey(name, Labels.of(labels)))
        .orElseThrow(() -> new AssertionError("no such series, but " + keys()));
  }

  long count(String name, String... labels) {
    return total(name, labels).parts().stream().mapToLong(part -> part.counts().total()).sum();
  }

  String sum(String name, String... labels) {
    BigInteger sum = BigInteger.ZERO;
    for (var part : total(name, labels).parts()) {
      sum = sum.add(part.sumMinMax().sum().toBigInteger());
    }
    return sum.toString();
  }

  String keys() {
    return store.livingSeries().stream().map(s -> s.key().toString()).sorted().toList().toString();
  }

  /** Packed, as a request may be. */
  static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }
}
