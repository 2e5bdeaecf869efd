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
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** OpenTelemetry's exponential histogram, with a reader registered that never reads. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OpenTelemetryBenchmark {
  private final SdkMeterProvider provider =
      SdkMeterProvider.builder()
          .registerMetricReader(new IdleReader())
          .registerView(
              InstrumentSelector.builder().setType(InstrumentType.HISTOGRAM).build(),
              View.builder().setAggregation(Aggregation.base2ExponentialBucketHistogram()).build())
          .build();
  private final LongHistogram histogram =
      provider.get("benchmark").histogramBuilder("latency").ofLongs().build();

  /** No attributes. */
  @Benchmark
  public void exponential(Latencies latencies) {
    histogram.record(latencies.next());
  }

  /** Closes the provider. */
  @TearDown
  public void close() {
    provider.close();
  }

  /** Without a reader the SDK records nothing. */
  private static final class IdleReader implements MetricReader {
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
}
