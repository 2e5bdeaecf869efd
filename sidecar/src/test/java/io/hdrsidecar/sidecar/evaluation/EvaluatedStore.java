package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.journal.Journal;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.journal.JournalTail;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.Intervals;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A store on clocks that are turned by hand, whose series are asked for in PromQL. */
final class EvaluatedStore implements AutoCloseable {
  static final long SECOND = 1000;
  private static final ExposedEdges EDGES =
      new ExposedEdges(List.of(0.5, 0.99, 1.0), unit -> List.of(0.01, 0.05));

  final HandTurnedClock clock = new HandTurnedClock();
  final SeriesStore store = new SeriesStore(MergeConfig.defaults(), clock, clock);
  final long origin = clock.millis();
  QueryLimits limits = QueryLimits.defaults();
  private final Queue<Runnable> mergeTasks = new ConcurrentLinkedQueue<>();
  private @Nullable Journal journal;

  /** Keeps intervals in so much memory. */
  EvaluatedStore inMemory(long bytes) {
    store.past().keepIn(new History(bytes));
    return this;
  }

  /** Writes a journal, too, which queries read. */
  EvaluatedStore inFiles(Path folder) throws IOException {
    Journal opened = Journal.open(JournalConfig.in(folder), store, clock, true, JournalTail.NONE);
    opened.start(mergeTasks::add, () -> {});
    journal = opened;
    return this;
  }

  /** Waits until queries can read all that was merged from the journal. */
  void awaitDurable() {
    Journal written = journal;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (written != null && written.durableRecord() < written.lastRecord()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not durable within 30 s: " + written.status());
      }
      runMergeTask();
    }
  }

  private void runMergeTask() {
    Runnable task = mergeTasks.poll();
    if (task != null) {
      task.run();
    } else {
      Thread.onSpinWait();
    }
  }

  Series series(String host) throws Exception {
    return store.register(Intervals.definition("calls", "host", host));
  }

  /** An interval of a second that ends now. */
  void merge(Series series, long... values) throws Exception {
    mergeBetween(series, clock.millis() - SECOND, clock.millis(), values);
  }

  void mergeBetween(Series series, long fromMillis, long toMillis, long... values)
      throws Exception {
    store.mergeWithoutSumMinMax(
        series, Intervals.decoded(Intervals.LAYOUT, values), fromMillis, toMillis);
  }

  /** Time goes by as in the sidecar, which looks for series that have ended. */
  void pass(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      clock.advance(Duration.ofSeconds(1));
      store.expireIdle();
    }
  }

  EvaluationScope scope(@Nullable StepCache cache, long nowMillis) {
    return new EvaluationScope(
        new QueryScope(store, 1000, limits, HeapClaim.unbounded()), EDGES, nowMillis, cache);
  }

  EvaluatedResult at(String query, long millis) throws Exception {
    return PromqlEvaluation.of(query, scope(null, clock.millis())).at(millis);
  }

  EvaluatedResult over(String query, StepRange range, @Nullable StepCache cache) throws Exception {
    return PromqlEvaluation.of(query, scope(cache, clock.millis())).over(range);
  }

  /** The only number of an answer. */
  static double number(EvaluatedResult result) {
    if (result.series().size() != 1 || result.series().get(0).size() != 1) {
      throw new AssertionError("not one number: " + text(result));
    }
    return result.series().get(0).valueAt(0);
  }

  /** Times and numbers of all series. */
  static String text(EvaluatedResult result) {
    StringBuilder text = new StringBuilder();
    for (ResultSeries each : result.series()) {
      text.append(each.labels()).append(':');
      for (int i = 0; i < each.size(); i++) {
        text.append(each.timeAt(i)).append('=').append(each.valueAt(i)).append(' ');
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    Journal written = journal;
    if (written != null) {
      Thread closing = new Thread(written::close, "test-journal-close");
      closing.start();
      while (closing.isAlive()) {
        runMergeTask(); // It waits for what this thread has to do.
      }
    }
  }
}
