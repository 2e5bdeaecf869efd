package io.hdrsidecar.benchmarks.peers.application;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import java.time.Duration;

/**
 * OpenTelemetry's SDK: a base-2 exponential histogram of seconds (160 buckets, as by default),
 * cumulative, exported each second as protobuf over HTTP, the exporter's default transport. The
 * limit of attribute sets, 2,000 by default, is raised to what the point needs.
 */
final class OtlpTarget implements EventTarget {
  private static final double NANOS = 1e9;

  private final SdkMeterProvider provider;
  private final DoubleHistogram histogram;
  private final Attributes[] attributes;

  OtlpTarget(String address, int series) {
    OtlpHttpMetricExporter exporter =
        OtlpHttpMetricExporter.builder()
            .setEndpoint(address + "/v1/metrics")
            .setDefaultAggregationSelector(
                DefaultAggregationSelector.getDefault()
                    .with(InstrumentType.HISTOGRAM, Aggregation.base2ExponentialBucketHistogram()))
            .build();
    this.provider =
        SdkMeterProvider.builder()
            .registerMetricReader(
                PeriodicMetricReader.builder(exporter).setInterval(Duration.ofSeconds(1)).build(),
                type -> Math.max(2000, series + 1))
            .build();
    this.histogram = provider.get("peers").histogramBuilder(NAME).setUnit("s").build();
    this.attributes = new Attributes[series];
    AttributeKey<String> label = AttributeKey.stringKey(LABEL);
    for (int n = 0; n < series; n++) {
      attributes[n] = Attributes.of(label, Integer.toString(n));
    }
  }

  @Override
  public void record(int series, long nanos) {
    histogram.record(nanos / NANOS, attributes[series]);
  }

  @Override
  public void close() {
    provider.close();
  }
}
