package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.interval.SeriesKey;
import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.window.IntervalCounts;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One series: its counts since the sidecar started and its windows, apart for each bucket layout
 * that was sent.
 *
 * <p>The merge context writes; any thread reads. A read is a copy taken under a {@link
 * SequenceLock}: as of one moment between two intervals, never of the middle of one. A reader that
 * keeps losing against a busy writer leaves a request, and the writer makes the copy itself after
 * its next interval; so readers always come to an end, and the writer never waits.
 */
public final class Series {
  private static final int ATTEMPTS_ALONE = 16;

  private final SeriesKey key;
  private final FamilyClaim claim;
  private final Instant createdAt;
  private final int windowCount;
  private final SequenceLock lock = new SequenceLock();
  private final AtomicReference<@Nullable ReadRequest> request = new AtomicReference<>();
  private final SingleWriterCounter intervals = new SingleWriterCounter();
  private volatile long lastSeenMillis;
  private volatile SeriesPart[] parts = {};

  Series(SeriesKey key, FamilyClaim claim, Instant createdAt, int windowCount) {
    this.key = key;
    this.claim = claim;
    this.createdAt = createdAt;
    this.windowCount = windowCount;
    this.lastSeenMillis = createdAt.toEpochMilli();
  }

  /** Name and labels. */
  public SeriesKey key() {
    return key;
  }

  /** Unit of the values. */
  public Unit unit() {
    return claim.unit();
  }

  /** Help of the metric, the same for all series of one name; may be empty. */
  public String help() {
    return claim.help();
  }

  /** Names of the metric families this series is exposed in. */
  public MetricNames metricNames() {
    return claim.names();
  }

  /** When counting began, by the wall clock. */
  public Instant createdAt() {
    return createdAt;
  }

  /** When the last interval was merged, by the wall clock; at first when counting began. */
  public Instant lastSeen() {
    return Instant.ofEpochMilli(lastSeenMillis);
  }

  /** Intervals merged since counting began. */
  public long intervals() {
    return intervals.get();
  }

  /** The bucket layouts that were sent, in the order of their first registration. */
  public List<BucketLayout> layouts() {
    return Arrays.stream(parts).map(SeriesPart::layout).toList();
  }

  /** Replaces the contents of {@code into} by the counts since start. Any thread. */
  public void readTotal(Distribution into) {
    read(SeriesPart.TOTAL, into);
  }

  /**
   * Replaces the contents of {@code into} by the counts of a window; none when it is empty. Any
   * thread.
   *
   * @param windowIndex place in {@link SeriesStore#windows}
   */
  public void readWindow(int windowIndex, Distribution into) {
    read(Objects.checkIndex(windowIndex, windowCount), into);
  }

  private void read(int which, Distribution into) {
    for (int attempt = 0; attempt < ATTEMPTS_ALONE; attempt++) {
      if (tryRead(which, into)) {
        return;
      }
      Thread.onSpinWait();
    }
    readWithHelp(which, into);
  }

  private boolean tryRead(int which, Distribution into) {
    long version = lock.beginRead();
    if (SequenceLock.isWriting(version)) {
      return false;
    }
    try {
      copy(which, into);
    } catch (RuntimeException torn) {
      // Counts that changed under the copy may be contradictory in any way; others must not be.
      if (lock.isUnchangedSince(version)) {
        throw torn;
      }
      return false;
    }
    return lock.isUnchangedSince(version);
  }

  private void copy(int which, Distribution into) {
    into.clear();
    for (SeriesPart part : parts) {
      part.copyTo(into, which);
    }
  }

  private void readWithHelp(int which, Distribution into) {
    ReadRequest mine = new ReadRequest(which);
    boolean placed = false;
    while (!mine.isDone()) {
      placed = placed || request.compareAndSet(null, mine);
      if (tryRead(which, into)) {
        request.compareAndSet(mine, null);
        return;
      }
      Thread.onSpinWait();
    }
    into.clear();
    into.add(mine.copy());
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

  /** Merge context: how many layouts there are. */
  int partCount() {
    return parts.length;
  }

  /** Merge context. */
  void addPart(SeriesPart part) {
    SeriesPart[] more = Arrays.copyOf(parts, parts.length + 1);
    more[parts.length] = part;
    parts = more;
  }

  /** Merge context: an interval that its part has room for. */
  void merge(SeriesPart part, IntervalCounts interval, long nowNanos, long wallMillis) {
    lock.beginWrite();
    try {
      part.add(interval, nowNanos);
    } finally {
      lock.endWrite();
    }
    intervals.increment();
    lastSeenMillis = wallMillis;
    serveRequest();
  }

  /** Merge context: takes what is too old out of the windows. */
  void advanceWindows(long nowNanos) {
    for (SeriesPart part : parts) {
      if (part.isDue(nowNanos)) {
        lock.beginWrite();
        try {
          part.advance(nowNanos);
        } finally {
          lock.endWrite();
        }
      }
    }
  }

  private void serveRequest() {
    ReadRequest waiting = request.getOpaque();
    if (waiting != null && request.compareAndSet(waiting, null)) {
      copy(waiting.which(), waiting.copy());
      waiting.done();
    }
  }

  /** Memory of the counts, in bytes; approximate. Any thread. */
  long allocatedBytes() {
    return Arrays.stream(parts).mapToLong(SeriesPart::allocatedBytes).sum();
  }
}
