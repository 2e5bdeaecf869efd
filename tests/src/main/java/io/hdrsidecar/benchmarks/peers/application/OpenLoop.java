package io.hdrsidecar.benchmarks.peers.application;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ObjLongConsumer;

/**
 * Events at a constant rate, whatever the target does: each turn, about a millisecond after the
 * last, records what has come due, series by series in turn. A target that cannot keep up leaves
 * the loop behind, and then it goes at the target's own pace.
 */
final class OpenLoop {
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Events between two looks at the clock, at most. */
  private static final long MOST_A_TURN = 512;

  /**
   * Before anything is timed each series gets some events, slowly: libraries make and size things
   * for the first values of a series, and services live longer than that.
   */
  private static final int FIRST_EVENTS = 5;

  private static final int FIRST_A_TURN = 20;

  private final EventTarget target;
  private final long[] values;
  private final int seriesCount;
  private final double eventsPerNano;
  private long done;
  private int nextValue;
  private int nextSeries;

  OpenLoop(EventTarget target, long[] values, int seriesCount, long eventsPerSecond) {
    this.target = target;
    this.values = values;
    this.seriesCount = seriesCount;
    this.eventsPerNano = eventsPerSecond / 1e9;
  }

  /**
   * Runs warm-up and measurement without a break between them.
   *
   * @param said is told {@code "warm"} and {@code "measured"}, each with the events so far
   */
  void run(long warmUpNanos, long measuredNanos, ObjLongConsumer<String> said) {
    for (long first = (long) FIRST_EVENTS * seriesCount; done < first; ) {
      turn((int) Math.min(FIRST_A_TURN, first - done));
      LockSupport.parkNanos(TURN_NANOS);
    }
    long before = done;
    boolean warm = false;
    long start = System.nanoTime();
    while (true) {
      long now = System.nanoTime() - start;
      if (!warm && now >= warmUpNanos) {
        warm = true;
        said.accept("warm", done);
      }
      if (now >= warmUpNanos + measuredNanos) {
        said.accept("measured", done);
        return;
      }
      long due = before + (long) (now * eventsPerNano) - done;
      turn((int) Math.min(due, MOST_A_TURN));
      if (due < MOST_A_TURN) {
        LockSupport.parkNanos(TURN_NANOS);
      }
    }
  }

  private void turn(int events) {
    int value = nextValue;
    int series = nextSeries;
    for (int i = 0; i < events; i++) {
      target.record(series, values[value]);
      value = value + 1 == values.length ? 0 : value + 1;
      series = series + 1 == seriesCount ? 0 : series + 1;
    }
    nextValue = value;
    nextSeries = series;
    done += events;
  }
}
