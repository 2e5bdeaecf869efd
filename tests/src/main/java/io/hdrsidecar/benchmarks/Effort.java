package io.hdrsidecar.benchmarks;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * How long a benchmark runs.
 *
 * @param quick enough to see that all of it works; the figures mean little
 */
public record Effort(boolean quick) {
  /** Of this machine. */
  public static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** Thread counts to measure at. */
  public List<Integer> threadCounts() {
    return quick ? List.of(1, 2) : List.of(1, 2, 4, 8, 64);
  }

  /** Runs one benchmark method, alone in its JVM, with all its parameters. */
  public Collection<RunResult> run(Class<?> benchmark, String method, int threads)
      throws RunnerException {
    return new Runner(options(benchmark, method, threads).jvmArgs("-Xmx1g").build()).run();
  }

  /** Runs it with these parameters alone, and a heap of its own size. */
  public RunResult run(
      Class<?> benchmark, String method, int threads, String heap, Map<String, String> parameters)
      throws RunnerException {
    ChainedOptionsBuilder options = options(benchmark, method, threads).jvmArgs("-Xmx" + heap);
    parameters.forEach(options::param);
    return new Runner(options.build()).runSingle();
  }

  /**
   * Runs one benchmark method and counts what all threads do together, in its unit. What a thread
   * sees says little where there are more threads than processors. Their compilers have to share
   * the processors with them, so many threads warm up for longer.
   */
  public RunResult runTogether(Class<?> benchmark, String method, int threads)
      throws RunnerException {
    int turns = Math.max(1, threads / (2 * PROCESSORS));
    return new Runner(
            options(benchmark, method, threads)
                .jvmArgs("-Xmx1g")
                .mode(Mode.Throughput)
                .warmupTime(TimeValue.milliseconds(turns * iteration().convertTo(MILLISECONDS)))
                .build())
        .runSingle();
  }

  private ChainedOptionsBuilder options(Class<?> benchmark, String method, int threads) {
    return new OptionsBuilder()
        .include("^" + benchmark.getName().replace(".", "\\.") + "\\." + method + "$")
        .threads(threads)
        .forks(1)
        .warmupIterations(quick ? 1 : 3)
        .warmupTime(iteration())
        .measurementIterations(quick ? 1 : 5)
        .measurementTime(iteration())
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  private TimeValue iteration() {
    return TimeValue.milliseconds(quick ? 100 : 400);
  }

  /** The median over iterations, or over samples where they are timed, in the benchmark's unit. */
  public static double median(RunResult result) {
    return result.getPrimaryResult().getStatistics().getPercentile(50);
  }

  /** Bytes allocated an operation. */
  public static double bytes(RunResult result) {
    return requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"), "GC profiler")
        .getScore();
  }
}
