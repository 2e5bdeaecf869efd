package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Merges what was counted into the store, some series at a time, so that frames of clients hardly
 * wait; and waits itself while the journal is full, as they do. One at a time: who counts goes on
 * counting meanwhile, and hands over the rest the next time.
 *
 * <p>{@link #begin}, {@link #isRunning} and {@link #await} are for the thread that counts.
 */
final class HandOver {
  /** Far below a millisecond. */
  private static final int SLICE = 64;

  /** What is kept of the scratch list; a long one is made anew the next time. */
  private static final int MOST_KEPT_BUCKETS = 4096;

  private final SeriesStore store;
  private final Executor mergeContext;
  private final Consumer<Runnable> later;
  private final StatsdCounters counters;
  private final StatsdLog log = new StatsdLog(System::nanoTime);
  private DecodedHistogram decoded = new DecodedHistogram();
  private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

  /**
   * A hand-over of nothing.
   *
   * @param mergeContext the thread that owns the store
   * @param later runs a task some milliseconds later, on any thread
   */
  HandOver(
      SeriesStore store, Executor mergeContext, Consumer<Runnable> later, StatsdCounters counters) {
    this.store = store;
    this.mergeContext = mergeContext;
    this.later = later;
    this.counters = counters;
  }

  /** Whether the last one goes on. */
  boolean isRunning() {
    return !running.isDone();
  }

  /**
   * Begins one; the one before has ended.
   *
   * @param intervals belong to this from now on
   * @param startMillis milliseconds since the epoch, as {@code endMillis}
   */
  void begin(List<StatsdInterval> intervals, long startMillis, long endMillis) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    running = done;
    mergeContext.execute(new Merging(intervals, startMillis, endMillis, done));
  }

  /**
   * Waits until the last one has ended.
   *
   * @return whether it has
   */
  boolean await(long millis) {
    try {
      running.get(millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("values of StatsD could not be merged", e.getCause());
    }
  }

  /** Runs on the merge context until all are merged. */
  private final class Merging implements Runnable {
    private final List<StatsdInterval> intervals;
    private final long startMillis;
    private final long endMillis;
    private final CompletableFuture<Void> done;
    private int next;

    Merging(
        List<StatsdInterval> intervals,
        long startMillis,
        long endMillis,
        CompletableFuture<Void> done) {
      this.intervals = intervals;
      this.startMillis = startMillis;
      this.endMillis = endMillis;
      this.done = done;
    }

    @Override
    public void run() {
      if (store.log().isFull()) {
        later.accept(() -> mergeContext.execute(this));
        return;
      }
      try {
        int end = Math.min(intervals.size(), next + SLICE);
        while (next < end) {
          merge(intervals.get(next++), startMillis, endMillis);
        }
      } catch (RuntimeException | Error e) {
        done.completeExceptionally(e);
        throw e;
      }
      if (next < intervals.size()) {
        mergeContext.execute(this);
      } else {
        done.complete(null);
      }
    }
  }

  private void merge(StatsdInterval interval, long startMillis, long endMillis) {
    Accumulation values = interval.values();
    decoded.start(values.counts().layout(), interval.definition().highestTrackableValue());
    values.counts().appendTo(decoded.counts());
    try {
      store.merge(
          store.register(interval.definition()),
          decoded,
          startMillis,
          endMillis,
          values.sumMinMax());
    } catch (RefusedException e) {
      store.countRejected(e.reason());
      counters.lost(e.reason(), values.count());
      log.refused(
          e.reason().label(),
          interval.definition().key().toString(),
          String.valueOf(e.getMessage()));
    }
    if (decoded.counts().size() > MOST_KEPT_BUCKETS) {
      decoded = new DecodedHistogram();
    }
  }
}
