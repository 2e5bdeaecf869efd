package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.interval.SeriesDefinition;
import io.hdrsidecar.sidecar.window.IntervalCounts;
import io.hdrsidecar.sidecar.window.WindowScratch;
import io.hdrsidecar.wire.DecodedHistogram;
import java.time.Instant;

/**
 * Brings back into a store what was counted before this start, as whoever wrote it down tells. It
 * was acknowledged, so nothing of it is refused for want of memory. Before the first merge; one
 * thread.
 */
public final class StoreRestore {
  private final SeriesStore store;
  private final SeriesTable table;
  private final IntervalClock clock;
  private final IdleTime idleTime;
  private final WindowScratch scratch;

  StoreRestore(
      SeriesStore store,
      SeriesTable table,
      IntervalClock clock,
      IdleTime idleTime,
      WindowScratch scratch) {
    this.store = store;
    this.table = table;
    this.clock = clock;
    this.idleTime = idleTime;
    this.scratch = scratch;
  }

  /**
   * Finds or creates a series that was counted before this start; its idle time begins now.
   *
   * @param createdAt when counting began; that of a series found is left as it is
   * @throws SeriesRefusedException as {@link SeriesStore#register}
   */
  public Series series(SeriesDefinition definition, Instant createdAt)
      throws SeriesRefusedException {
    return table.restore(definition, createdAt, idleTime.nanos());
  }

  /** A series restored had ended before this start: undoes that. */
  public void end(Series series) {
    table.end(series, 0);
    store.forgetHistory(series);
  }

  /**
   * Its windows were restored from a series of the same name that ended before it began: empties
   * them.
   */
  public void emptyWindows(Series series) {
    table.memory().windowsChanged(-SeriesBytes.ofWindows(series));
    series.emptyWindows(store.windows(), scratch);
    store.forgetHistory(series);
  }

  /**
   * A series whose counts are known, as it can be restored: with its configured range, or, where
   * that needs more counters than a series may have by now, with the range that it uses.
   */
  public SeriesDefinition admissible(SeriesDefinition configured, DecodedHistogram counted) {
    return configured.counters() <= store.config().maxCounters()
        ? configured
        : new SeriesDefinition(
            configured.key(),
            configured.unit(),
            configured.help(),
            configured.layout(),
            counted.highestTrackableValue());
  }

  /**
   * Adds what was counted before this start to the counts since start. Nothing of it is refused for
   * want of memory.
   *
   * @param histogram what the counts were read from
   * @param intervals how many it came in
   * @param endMillis when the last of them ended
   * @throws IntervalRefusedException as {@link SeriesStore#merge}
   */
  public void total(
      Series series,
      DecodedHistogram histogram,
      IntervalCounts counted,
      long intervals,
      long endMillis)
      throws IntervalRefusedException {
    SeriesPart part = SeriesStore.partWithRoom(series, histogram.layout(), counted);
    part.registration().raise(histogram.highestTrackableValue());
    long committedBytes = part.committedBytes();
    long untakenBytes = part.untakenBytes();
    series.restoreTotal(part, counted, intervals, Math.min(endMillis, clock.wallMillis()));
    table
        .memory()
        .merged(
            series, part.committedBytes() - committedBytes, part.untakenBytes() - untakenBytes, 0);
  }

  /**
   * Adds an interval merged before this start to the windows, as far as they still reach and memory
   * allows.
   *
   * @throws IntervalRefusedException as {@link SeriesStore#merge}
   */
  public void windows(
      Series series, BucketLayout layout, IntervalCounts counted, long startMillis, long endMillis)
      throws IntervalRefusedException {
    SeriesPart part = SeriesStore.partWithRoom(series, layout, counted);
    long nowNanos = clock.nowNanos();
    if (table.memory().feedsWindows(series, nowNanos)) {
      clock.place(counted, startMillis, endMillis, nowNanos, clock.wallMillis());
      long before = part.windowBytes();
      part.addToWindows(counted, nowNanos);
      table.memory().merged(series, 0, 0, part.windowBytes() - before);
    }
  }

  /**
   * Keeps an interval merged before this start in the history.
   *
   * @param counted in a layout that the series may not have any more; then nothing is kept
   * @param record its number in the journal
   */
  public void history(
      Series series,
      BucketLayout layout,
      IntervalCounts counted,
      long startMillis,
      long endMillis,
      long record) {
    SeriesPart part = series.part(layout);
    if (part != null) {
      store.remember(series, part, counted, startMillis, endMillis, record);
    }
  }
}
