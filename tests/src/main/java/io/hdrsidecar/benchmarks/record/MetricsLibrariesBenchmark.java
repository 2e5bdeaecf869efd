package io.hdrsidecar.benchmarks.record;

import com.datadoghq.sketch.ddsketch.DDSketch;
import com.datadoghq.sketch.ddsketch.DDSketches;
import com.netflix.spectator.api.DefaultRegistry;
import com.netflix.spectator.api.histogram.PercentileTimer;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Histograms of other metrics libraries, with their defaults; nobody scrapes meanwhile. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MetricsLibrariesBenchmark {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Histogram nativeHistogram =
      Histogram.builder().name("native_seconds").nativeOnly().build();
  private final Histogram classicHistogram =
      Histogram.builder().name("classic_seconds").classicOnly().build();
  private final DDSketch sketch = DDSketches.unboundedDense(0.01);
  private final PercentileTimer percentileTimer;

  /** Registers the timer. */
  public MetricsLibrariesBenchmark() {
    DefaultRegistry registry = new DefaultRegistry();
    percentileTimer = PercentileTimer.get(registry, registry.createId("latency"));
  }

  /** Prometheus client_java, native histogram. */
  @Benchmark
  public void prometheusNative(Latencies latencies) {
    nativeHistogram.observe(latencies.next() / NANOS_PER_SECOND);
  }

  /** Prometheus client_java, classic histogram. */
  @Benchmark
  public void prometheusClassic(Latencies latencies) {
    classicHistogram.observe(latencies.next() / NANOS_PER_SECOND);
  }

  /** DDSketch, 1 % relative accuracy; it is not made for threads, hence the lock. */
  @Benchmark
  public void ddSketch(Latencies latencies) {
    long value = latencies.next();
    synchronized (sketch) {
      sketch.accept((double) value);
    }
  }

  /** Spectator's percentile timer. */
  @Benchmark
  public void spectator(Latencies latencies) {
    percentileTimer.record(latencies.next(), TimeUnit.NANOSECONDS);
  }
}
