package io.hdrsidecar.benchmarks.footprint;

import java.io.IOException;
import java.net.URI;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A service with so many series, each recording so many log-normal latencies a second, around 10
 * ms, for so many seconds:
 *
 * <pre>
 * SeriesLoad unix:///tmp/hdr-sidecar.sock 100 100 60     client-lib, an interval a second and series
 * SeriesLoad statsd://127.0.0.1:9125 100 100 60          StatsD over UDP, a line a value
 * </pre>
 */
public final class SeriesLoad {
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final double TYPICAL_NANOS = 10e6;
  private static final double SPREAD = 0.5;

  private SeriesLoad() {}

  /** Where values go. */
  interface Target extends AutoCloseable {
    void record(int series, long nanos) throws IOException;

    /** Sends what is better sent together. */
    void endTurn() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Prints how many values it recorded. */
  public static void main(String[] args) throws IOException {
    int series = Integer.parseInt(args[1]);
    int perSecond = Integer.parseInt(args[2]);
    int seconds = Integer.parseInt(args[3]);
    try (Target target =
        args[0].startsWith("statsd:")
            ? new StatsdTarget(URI.create(args[0]))
            : new ClientTarget(args[0], series)) {
      System.out.println(run(target, series, perSecond, seconds) + " values");
    }
  }

  /** Each turn records what has come due since the last, so a late turn costs no values. */
  private static long run(Target target, int series, int perSecond, int seconds)
      throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    long start = System.nanoTime();
    long all = (long) perSecond * seconds;
    long done = 0; // of each series
    while (done < all) {
      long due = Math.min(all, (long) ((System.nanoTime() - start) / 1e9 * perSecond));
      for (; done < due; done++) {
        for (int n = 0; n < series; n++) {
          target.record(n, (long) (TYPICAL_NANOS * Math.exp(SPREAD * random.nextGaussian())));
        }
      }
      target.endTurn();
      LockSupport.parkNanos(TURN_NANOS);
    }
    return done * series;
  }
}
