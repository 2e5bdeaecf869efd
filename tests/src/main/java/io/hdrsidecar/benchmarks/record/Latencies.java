package io.hdrsidecar.benchmarks.record;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Log-normal latencies around 1 ms, in nanoseconds; each thread walks them from another place. */
@State(Scope.Thread)
public class Latencies {
  /** Highest latency of any series here. */
  static final long HIGHEST = TimeUnit.HOURS.toNanos(1);

  private static final int SIZE = 1 << 14;
  private static final long[] VALUES = logNormal(SIZE, 1);
  private static final AtomicInteger THREADS = new AtomicInteger();

  private int next = THREADS.getAndIncrement() * (SIZE / 7);

  long next() {
    return VALUES[next++ & (SIZE - 1)];
  }

  static long[] logNormal(int size, long seed) {
    Random random = new Random(seed);
    long[] values = new long[size];
    Arrays.setAll(values, i -> (long) (1e6 * Math.exp(random.nextGaussian())));
    return values;
  }
}
