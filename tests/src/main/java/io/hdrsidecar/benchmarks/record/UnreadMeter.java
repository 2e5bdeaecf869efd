package io.hdrsidecar.benchmarks.record;

import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentSelector;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.View;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;

/** A reader that never reads; without one OpenTelemetry's SDK records nothing. */
final class UnreadMeter implements MetricReader {
  private static final int MOST_SERIES = 20_000; // by default 2,000, and all others are one

  private UnreadMeter() {}

  /** Of histograms of this kind. */
  static SdkMeterProvider provider(Aggregation aggregation) {
    return SdkMeterProvider.builder()
        .registerMetricReader(new UnreadMeter())
        .registerView(
            InstrumentSelector.builder().setType(InstrumentType.HISTOGRAM).build(),
            View.builder().setAggregation(aggregation).setCardinalityLimit(MOST_SERIES).build())
        .build();
  }

  static LongHistogram histogram(SdkMeterProvider provider) {
    return provider.get("benchmark").histogramBuilder("latency").ofLongs().build();
  }

  @Override
  public void register(CollectionRegistration registration) {}

  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
    return AggregationTemporality.CUMULATIVE;
  }

  @Override
  public CompletableResultCode forceFlush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }
}
