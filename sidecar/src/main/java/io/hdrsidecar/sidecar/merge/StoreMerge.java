package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.limits.MemoryBudget;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.limits.SingleWriterCounter;

/**
 * Adds an interval to its series: to its totals, its windows, the past and the log, where there is
 * memory for its counters, else to the overflow series of its name. Merge context.
 */
final class StoreMerge {
  private final MergeConfig config;
  private final IntervalClock clock;
  private final IdleTime idleTime;
  private final SeriesTable table;
  private final MemoryBudget memory;
  private final StoreWindows windows;
  private final StorePast past;
  private final IntervalCounts interval;
  private final SingleWriterCounter merged = new SingleWriterCounter();
  private final SingleWriterCounter values = new SingleWriterCounter();
  private IntervalLog log = IntervalLog.NONE;

  /**
   * Nothing is added yet.
   *
   * @param interval set by the caller before each {@link #add}
   */
  StoreMerge(
      MergeConfig config,
      IntervalClock clock,
      IdleTime idleTime,
      SeriesTable table,
      StorePast past,
      IntervalCounts interval) {
    this.config = config;
    this.clock = clock;
    this.idleTime = idleTime;
    this.table = table;
    this.memory = table.memory();
    this.windows = table.windows();
    this.past = past;
    this.interval = interval;
  }

  /**
   * Adds the interval. All of it is added, or nothing.
   *
   * @param histogram that the interval was set from
   * @return the series that counts it: the one wanted, or the overflow series of its name
   * @throws RefusedException as {@link SeriesStore#merge}
   */
  Series add(
      Sender sender,
      long sequence,
      Series wanted,
      DecodedHistogram histogram,
      long startMillis,
      long endMillis)
      throws RefusedException {
    if (wanted.hasEnded()) {
      throw new IllegalStateException("series has ended: " + wanted.key());
    }
    SeriesPart part = SeriesPart.withRoom(wanted, histogram.layout(), interval);
    Series series = withMemory(wanted, part);
    if (series != wanted) {
      part = SeriesPart.withRoom(series, histogram.layout(), interval);
    }
    long wallMillis = clock.wallMillis();
    long nowNanos = clock.nowNanos();
    clock.place(interval, startMillis, endMillis, nowNanos, wallMillis);
    long record =
        log.append(sender.id(), sequence, series, histogram, interval, startMillis, endMillis);
    boolean intoWindows = windows.feedsWindows(series, nowNanos) && !config.windows().isEmpty();
    if (intoWindows || past.isInMemory()) {
      interval.packed(); // Its memory now: once it is being merged, all is added or nothing.
    }
    long committedBytes = part.committedBytes();
    long untakenBytes = part.untakenBytes();
    long windowBytes = part.windowBytes();
    series.seen(wallMillis, idleTime.nanos());
    series.merge(part, interval, intoWindows, nowNanos, record, sender, sequence);
    merged.increment();
    values.add(interval.counts().total());
    windows.merged(
        series,
        part.committedBytes() - committedBytes,
        part.untakenBytes() - untakenBytes,
        part.windowBytes() - windowBytes);
    past.remember(series, part, interval, startMillis, endMillis, record);
    series.settle();
    return series;
  }

  /** The series itself, or the overflow series of its name if only that has memory for it. */
  private Series withMemory(Series wanted, SeriesPart part) throws RefusedException {
    if (part.registration().isOfOverflow()) {
      requireRoom(part);
      return wanted;
    }
    PagedCounts total = part.total();
    if (memory.hasRoomForLabels(total, interval.counts())
        || table.forgetUntil(() -> memory.hasRoomForLabels(total, interval.counts()))) {
      return wanted;
    }
    Series overflow = overflowWithMemory(wanted, part);
    wanted.setFull(true);
    return overflow;
  }

  /** Where that has no room either, the series goes on with what falls into its counters. */
  private Series overflowWithMemory(Series full, SeriesPart part) throws RefusedException {
    try {
      Series overflow = table.insteadOf(full, part, clock.wallTime(), idleTime.nanos());
      requireRoom(SeriesPart.withRoom(overflow, part.layout(), interval));
      return overflow;
    } catch (RefusedException e) {
      throw memory.refusal();
    }
  }

  private void requireRoom(SeriesPart part) throws RefusedException {
    PagedCounts total = part.total();
    if (!memory.hasRoomFor(total, interval.counts())) {
      table.forgetUntil(() -> memory.hasRoomFor(total, interval.counts()));
      memory.requireRoomFor(total, interval.counts());
    }
  }

  /** From now on, merged intervals are written down there. Before the first. */
  void writeTo(IntervalLog intervalLog) {
    log = intervalLog;
  }

  /** Where merged intervals are written down. */
  IntervalLog log() {
    return log;
  }

  /** Intervals added since start. Any thread. */
  long intervals() {
    return merged.get();
  }

  /** Their values. Any thread. */
  long values() {
    return values.get();
  }
}
