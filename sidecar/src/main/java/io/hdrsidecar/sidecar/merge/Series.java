package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.families.MetricNames;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.history.HistoryLane;
import io.hdrsidecar.sidecar.history.KeptInterval;
import io.hdrsidecar.sidecar.limits.SingleWriterCounter;
import io.hdrsidecar.sidecar.reading.CountsReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One series: its counts since the sidecar started and its windows, apart for each bucket layout
 * that was sent.
 *
 * <p>The merge context writes; any thread reads, by {@link SeriesReads}.
 */
public final class Series {
  private static final long LIVING = -1;

  private final SeriesRef ref;
  private final SeriesRef.Identity identity;
  private final Instant createdAt;
  private final int windowCount;
  final SequenceLock lock = new SequenceLock();
  private final SeriesReads reads = new SeriesReads(lock, this::copyTo);
  private final SingleWriterCounter intervals = new SingleWriterCounter();
  private final SeriesExemplars exemplars = new SeriesExemplars();
  private final WindowState windowState = new WindowState();
  private volatile long lastSeenMillis;
  private volatile long endRecord = LIVING;
  private volatile boolean settled = true;
  private volatile long lostTo = Long.MIN_VALUE;
  private boolean full;
  private long idleSinceNanos;
  private long lastRecord;
  private volatile SeriesPart[] parts = {};

  Series(
      SeriesRef ref,
      SeriesRef.Identity identity,
      Instant createdAt,
      int windowCount,
      long idleNanos) {
    this.ref = ref;
    this.identity = identity;
    this.idleSinceNanos = idleNanos;
    this.createdAt = createdAt;
    this.windowCount = windowCount;
    this.lastSeenMillis = createdAt.toEpochMilli();
  }

  /** Name and labels. */
  public SeriesKey key() {
    return identity.key();
  }

  /** Unit of the values. */
  public Unit unit() {
    return identity.claim().unit();
  }

  /** Help of the metric, the same for all series of one name; may be empty. */
  public String help() {
    return identity.claim().help();
  }

  /** Names of the metric families this series is exposed in. */
  public MetricNames metricNames() {
    return identity.claim().names();
  }

  /** When counting began, by the wall clock. */
  public Instant createdAt() {
    return createdAt;
  }

  /** When the last interval was merged, by the wall clock; at first when counting began. */
  public Instant lastSeen() {
    return Instant.ofEpochMilli(lastSeenMillis);
  }

  /**
   * Whether it has ended. Then it is no longer among the series of the store, its counts never
   * change again, and the next interval under its name is counted in another. Any thread.
   */
  public boolean hasEnded() {
    return endRecord != LIVING;
  }

  /** The record of the journal that says so; -1 before its end, 0 without a journal. Any thread. */
  public long endRecord() {
    return endRecord;
  }

  /**
   * Whether what comes for it is counted in an overflow series, as there is no memory for more
   * counters. What it has is whole up to then: not one without the rare and slow. Merge context.
   */
  boolean isFull() {
    return full;
  }

  void setFull(boolean isFull) {
    full = isFull;
  }

  /** The registration for senders in this layout, which was registered. Merge context. */
  public Registration registration(BucketLayout layout) {
    SeriesPart part = part(layout);
    if (part == null) {
      throw new IllegalArgumentException(
          key() + " has the layouts " + layouts() + ", not " + layout);
    }
    return part.registration();
  }

  /** The highest trackable value that anyone registered with, in any layout. Any thread. */
  public long highestTrackableValue() {
    return Arrays.stream(parts)
        .mapToLong(part -> part.registration().highestTrackableValue())
        .max()
        .orElse(0);
  }

  /** Intervals merged since counting began. */
  public long intervals() {
    return intervals.get();
  }

  /**
   * Values with their traces, a few of different magnitudes, of the last intervals that had any; in
   * no order. They are examples: not all of one moment, and gone after a restart. Any thread.
   */
  public List<Exemplar> exemplars() {
    return exemplars.all();
  }

  /** Merge context: the example of an interval that was merged, if it has one. */
  void offer(@Nullable Exemplar exemplar) {
    if (exemplar != null) {
      exemplars.offer(exemplar);
    }
  }

  /** The bucket layouts that were sent, in the order of their first registration. */
  public List<BucketLayout> layouts() {
    return Arrays.stream(parts).map(SeriesPart::layout).toList();
  }

  /** Replaces the contents of {@code into} by the counts since start. Any thread. */
  public void readTotal(CountsReader into) {
    read(new ReaderCopy(SeriesPart.TOTAL, into));
  }

  /**
   * Replaces the contents of {@code into} by the counts of a window; none when it is empty. Any
   * thread.
   *
   * @param windowIndex place in {@link SeriesStore#windows}
   */
  public void readWindow(int windowIndex, CountsReader into) {
    read(new ReaderCopy(Objects.checkIndex(windowIndex, windowCount), into));
  }

  /** Replaces the contents of {@code into} by the counts since start, with their last record. */
  public void readTotals(SeriesTotals into) {
    read(into);
  }

  /**
   * References to the intervals in the history that overlap a range of time: those of one layout in
   * the order of their starts, one layout after the other. Any thread.
   *
   * @param fromMillis milliseconds since the epoch, by the clocks of the clients
   * @param toMillis likewise, excluded
   * @param limit most of them
   */
  public List<KeptInterval> historyIntervals(long fromMillis, long toMillis, long limit) {
    List<KeptInterval> found = new ArrayList<>();
    read(new HistoryCopy(fromMillis, toMillis, limit, found));
    return found;
  }

  /** Merge context: keeps an interval of this part, with its number in the journal or 0. */
  void remember(
      History history,
      SeriesPart part,
      IntervalCounts interval,
      long startMillis,
      long endMillis,
      long record,
      long nowMillis) {
    history.add(part.history(lock), interval, startMillis, endMillis, record, nowMillis);
  }

  /** Merge context: gives its place in the history back. */
  void forget(History history) {
    for (SeriesPart part : parts) {
      HistoryLane lane = part.history();
      if (lane != null) {
        history.release(lane);
      }
    }
  }

  /** Merge context: the part of this layout, if there is one. */
  @Nullable SeriesPart part(BucketLayout layout) {
    for (SeriesPart part : parts) {
      if (part.layout().equals(layout)) {
        return part;
      }
    }
    return null;
  }

  /** Merge context. */
  void addPart(SeriesPart part) {
    SeriesPart[] more = Arrays.copyOf(parts, parts.length + 1);
    more[parts.length] = part;
    parts = more;
  }

  /**
   * Merge context: an interval has come.
   *
   * @param idleNanos now, in {@link IdleTime}
   */
  void seen(long wallMillis, long idleNanos) {
    idleSinceNanos = idleNanos;
    lastSeenMillis = wallMillis;
  }

  /**
   * Merge context: an interval that its part has room for; it was {@link #seen} before.
   *
   * @param intoWindows whether into the windows, too; then it is packed already
   * @param record its number in the journal
   * @param sender told once the counts are there, before anything else can fail
   */
  void merge(
      SeriesPart part,
      IntervalCounts interval,
      boolean intoWindows,
      long nowNanos,
      long record,
      Sender sender,
      long sequence) {
    lock.beginWrite();
    try {
      part.addToTotal(interval); // All of it, or nothing when there is no memory for it.
      lostTo = settled ? lostTo : Long.MAX_VALUE; // The last was never remembered.
      settled = false;
      sender.settle(sequence);
      lastRecord = record;
      intervals.increment();
      if (intoWindows) {
        part.addToWindows(interval, nowNanos);
      }
    } finally {
      lock.endWrite();
    }
  }

  /** Merge context: the interval that was merged is remembered, too, or is not to be. */
  void settle() {
    settled = true;
    reads.serve();
  }

  /** Merge context: an interval that the history does not keep. */
  void lose(long endMillis) {
    lostTo = Math.max(lostTo, endMillis);
  }

  /** When the last of those ended; later than any while what was merged last is not settled. */
  long lostTo() {
    return settled ? lostTo : Long.MAX_VALUE;
  }

  /** Before others read, or while nobody can: what was counted before this start. */
  void restoreTotal(
      SeriesPart part, IntervalCounts counted, long restored, long endMillis, long idleNanos) {
    part.addToTotal(counted);
    lose(endMillis); // If the history has it after all, counts tell.
    intervals.add(restored);
    idleSinceNanos = Math.max(idleSinceNanos, idleNanos);
    lastSeenMillis = Math.max(lastSeenMillis, endMillis);
  }

  /**
   * The time of its last interval, or of its beginning, in {@link IdleTime}. Merge context; of
   * another thread, as of its last read or later.
   */
  long idleSinceNanos() {
    return idleSinceNanos;
  }

  SeriesRef ref() {
    return ref;
  }

  SeriesRef.Identity identity() {
    return identity;
  }

  /** Merge context: nothing more will be counted here. */
  void end(long record) {
    endRecord = record;
    ref.lead(null);
  }

  /** Merge context: whether its windows are fed, and have all that came. */
  WindowState windowState() {
    return windowState;
  }

  /** Whether its windows have all that came within their spans. Any thread. */
  public boolean hasWholeWindows() {
    return windowState.isWhole();
  }

  /** Any thread: lets it copy until it has a whole one. */
  void read(SeriesCopy into) {
    reads.read(into);
  }

  private void copyTo(SeriesCopy into) {
    into.take(parts, lastRecord, intervals.get());
  }

  /** Its layouts. The array is not changed; the merge context writes to what is in it. */
  SeriesPart[] parts() {
    return parts;
  }
}
