package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.limits.RefusedException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Brings back into a store what was counted before this start, as the journal tells, or another
 * that wrote it down.
 *
 * <p>The limits are those of now. Where series do not fit, those that have idled longest are added
 * to the overflow series of their names; what does not even fit there is refused. Before the first
 * merge; one thread.
 */
public final class StoreRestore {
  private final SeriesStore store;
  private final SeriesTable table;
  private final IntervalClock clock;
  private final IdleTime idleTime;
  private final SeriesFolding folding;

  StoreRestore(SeriesStore store, SeriesTable table, IntervalClock clock, IdleTime idleTime) {
    this.store = store;
    this.table = table;
    this.clock = clock;
    this.idleTime = idleTime;
    this.folding = new SeriesFolding(this, table);
  }

  /**
   * All that follows happened at this time; and now is then, after the last of it.
   *
   * @param nanos from any moment, the same for all calls
   */
  public void at(long nanos) {
    idleTime.set(nanos);
  }

  /**
   * Finds or creates a series that was counted before this start. It has idled for as long as may
   * be, until {@link #total} says otherwise.
   *
   * @param createdAt when counting began; that of a series found is left as it is
   * @return in want of room the overflow series of its name
   * @throws RefusedException as {@link SeriesStore#register}
   */
  public Series series(SeriesDefinition definition, Instant createdAt) throws RefusedException {
    long idleNanos = idleTime.nanos() - store.config().idleExpiry().toNanos();
    boolean isFolded = folding.has(definition.key());
    try {
      return table.restore(definition, createdAt, idleNanos, isFolded, false);
    } catch (RefusedException e) {
      if (e.reason() != RejectReason.MEMORY_LIMIT || !folding.makeRoom(null)) {
        throw e;
      }
      return table.restore(definition, createdAt, idleNanos, isFolded, false);
    }
  }

  /**
   * Restores a series while others read and merge: they see it with all that is restored, or not at
   * all. Merge context.
   *
   * @param totals its layouts and what was counted in each, one or more
   * @param lastSeenMillis when its last interval came
   * @return the series; it may be an overflow series, to which nothing was added then
   * @throws RefusedException when it has no place or no memory; then it is not there
   */
  public Series whole(List<Total> totals, Instant createdAt, long intervals, long lastSeenMillis)
      throws RefusedException {
    SeriesKey key = totals.get(0).definition().key();
    if (store.find(key).isPresent()) {
      throw new IllegalStateException("series is there already: " + key);
    }
    Series series = null;
    long untold = intervals; // Of all layouts together, and told once.
    try {
      for (Total total : totals) {
        series =
            table.restore(total.definition(), createdAt, idleTime.nanos(), false, series == null);
        if (!series.key().equals(key)) {
          return series;
        }
        SeriesPart part = SeriesPart.withRoom(series, total.definition().layout(), total.counted());
        add(series, part, total.counted(), untold, lastSeenMillis, idleTime.nanos());
        untold = 0;
      }
      return Objects.requireNonNull(series, "series");
    } catch (RefusedException e) {
      series = store.find(key).orElse(null);
      if (series != null) {
        end(series); // Not as one that others have read: it is locked, and reading it would wait.
      }
      throw e;
    } finally {
      if (series != null && series.key().equals(key)) {
        series.lock.endWrite();
      }
    }
  }

  /**
   * The counts of a series in one layout.
   *
   * @param definition of the series, in this layout
   */
  public record Total(SeriesDefinition definition, IntervalCounts counted) {}

  /** A series restored had ended before this start: undoes that. */
  public void end(Series series) {
    store.past().forget(series);
    table.drop(series);
  }

  /** Records of this name and labels are of another series than those before. */
  public void beginsAnew(SeriesKey key) {
    folding.forget(key);
  }

  /** How many series were added to overflow series, as there was no room. */
  public long foldedSeries() {
    return folding.series();
  }

  /** Values of these for which overflow series had no room. */
  public long lostValues() {
    return folding.lostValues();
  }

  /**
   * Its windows were restored from a series of the same name that ended before it began: empties
   * them.
   */
  public void emptyWindows(Series series) {
    table.windows().empty(series);
    store.past().forget(series);
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
   * Adds what was counted before this start to the counts since start.
   *
   * @param histogram what the counts were read from
   * @param intervals how many it came in
   * @param endMillis when the last of them ended
   * @param idleMillis for how long there has been none since
   * @throws RefusedException as {@link SeriesStore#merge}
   */
  public void total(
      Series series,
      DecodedHistogram histogram,
      IntervalCounts counted,
      long intervals,
      long endMillis,
      long idleMillis)
      throws RefusedException {
    SeriesPart part = SeriesPart.withRoom(series, histogram.layout(), counted);
    if (!table.memory().hasRoomFor(part.total(), counted.counts())) {
      folding.makeRoom(series);
    }
    part.registration().raise(histogram.highestTrackableValue());
    long lastSeen = Math.min(endMillis, clock.wallMillis());
    long idleSince = idleTime.nanos() - TimeUnit.MILLISECONDS.toNanos(idleMillis);
    add(series, part, counted, intervals, lastSeen, idleSince);
  }

  /** The same where there should be room already. */
  void add(
      Series series,
      SeriesPart part,
      IntervalCounts counted,
      long intervals,
      long lastSeenMillis,
      long idleSinceNanos)
      throws RefusedException {
    table.memory().requireRoomFor(part.total(), counted.counts());
    long committedBytes = part.committedBytes();
    long untakenBytes = part.untakenBytes();
    series.restoreTotal(part, counted, intervals, lastSeenMillis, idleSinceNanos);
    table
        .windows()
        .merged(
            series, part.committedBytes() - committedBytes, part.untakenBytes() - untakenBytes, 0);
  }

  /**
   * For how many milliseconds a series has had no interval, for the journal. Any thread that has
   * read the series.
   */
  public long idleMillis(Series series) {
    return TimeUnit.NANOSECONDS.toMillis(
        Math.max(0, idleTime.nanosNow() - series.idleSinceNanos()));
  }

  /**
   * Adds an interval merged before this start to the windows, as far as they still reach and memory
   * allows.
   *
   * @throws RefusedException as {@link SeriesStore#merge}
   */
  public void windows(
      Series series, BucketLayout layout, IntervalCounts counted, long startMillis, long endMillis)
      throws RefusedException {
    SeriesPart part = SeriesPart.withRoom(series, layout, counted);
    long nowNanos = clock.nowNanos();
    if (table.windows().feedsWindows(series, nowNanos)) {
      clock.place(counted, startMillis, endMillis, nowNanos, clock.wallMillis());
      long before = part.windowBytes();
      series.lock.beginWrite();
      try {
        part.addToWindows(counted, nowNanos);
      } finally {
        series.lock.endWrite();
      }
      table.windows().merged(series, 0, 0, part.windowBytes() - before);
    }
  }

  /**
   * Adds what a window of the series holds elsewhere at this moment.
   *
   * @param index its place in {@link SeriesStore#windows}
   * @throws RefusedException as {@link SeriesStore#merge}
   */
  public void window(Series series, BucketLayout layout, int index, IntervalCounts held)
      throws RefusedException {
    SeriesPart part = SeriesPart.withRoom(series, layout, held);
    long nowNanos = clock.nowNanos();
    held.place(nowNanos, 0);
    series.lock.beginWrite();
    try {
      part.addToWindow(index, held, nowNanos);
    } finally {
      series.lock.endWrite();
    }
  }

  /** The windows of the series do not have all that came within their spans. */
  public void withoutWindows(Series series) {
    table.windows().giveUp(series);
  }

  /** A value with its trace that the series has elsewhere. */
  public void exemplar(Series series, Exemplar exemplar) {
    series.offer(exemplar);
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
      store.past().remember(series, part, counted, startMillis, endMillis, record);
    }
  }
}
