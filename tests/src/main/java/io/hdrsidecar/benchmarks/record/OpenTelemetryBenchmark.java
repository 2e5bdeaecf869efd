package io.hdrsidecar.benchmarks.record;

import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** OpenTelemetry's histograms, without attributes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OpenTelemetryBenchmark {
  private final SdkMeterProvider base2 =
      UnreadMeter.provider(Aggregation.base2ExponentialBucketHistogram());
  private final SdkMeterProvider fixed =
      UnreadMeter.provider(Aggregation.explicitBucketHistogram());
  private final LongHistogram exponential = UnreadMeter.histogram(base2);
  private final LongHistogram explicit = UnreadMeter.histogram(fixed);

  /** 160 buckets. */
  @Benchmark
  public void exponential(Latencies latencies) {
    exponential.record(latencies.next());
  }

  /** 16 buckets. */
  @Benchmark
  public void explicit(Latencies latencies) {
    explicit.record(latencies.next());
  }

  /** Closes the providers. */
  @TearDown
  public void close() {
    base2.close();
    fixed.close();
  }
}
