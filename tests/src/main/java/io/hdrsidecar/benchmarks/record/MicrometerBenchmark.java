package io.hdrsidecar.benchmarks.record;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Micrometer's timers in its Prometheus registry; nobody scrapes meanwhile. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MicrometerBenchmark {
  private final MeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Timer percentiles =
      Timer.builder("percentiles").publishPercentiles(0.5, 0.9, 0.99).register(registry);
  private final Timer histogram =
      Timer.builder("histogram").publishPercentileHistogram().register(registry);

  /** Percentiles computed in the application. */
  @Benchmark
  public void percentiles(Latencies latencies) {
    percentiles.record(latencies.next(), TimeUnit.NANOSECONDS);
  }

  /** Percentile histogram: classic buckets. */
  @Benchmark
  public void percentileHistogram(Latencies latencies) {
    histogram.record(latencies.next(), TimeUnit.NANOSECONDS);
  }

  /** Closes the registry. */
  @TearDown
  public void close() {
    registry.close();
  }
}
