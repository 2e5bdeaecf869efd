package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.LateIntervals;
import io.hdrsidecar.sidecar.history.PastSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The past of a store: merged intervals in memory, and where older ones can be read. Both are set
 * before the first merge; what is kept is changed in the merge context and read by any thread.
 */
public final class StorePast {
  private final Duration idleExpiry;
  private final IntervalClock clock;
  private final PackingScratch scratch;
  private final LateIntervals late = new LateIntervals();
  private @Nullable History history;
  private PastSource source = PastSource.NONE;

  /**
   * Nothing is kept yet.
   *
   * @param idleExpiry zero for never
   */
  StorePast(Duration idleExpiry, IntervalClock clock, PackingScratch scratch) {
    this.idleExpiry = idleExpiry;
    this.clock = clock;
    this.scratch = scratch;
  }

  /** From now on, merged intervals are kept there as well. */
  public void keepIn(History intervals) {
    history = intervals;
    intervals.workIn(scratch);
  }

  /** From now on, older intervals are read there as well. */
  public void readFrom(PastSource older) {
    source = older;
  }

  /** Whether merged intervals are kept in memory. */
  public boolean isInMemory() {
    return history != null;
  }

  /** Whether there is any, in memory or elsewhere. */
  public boolean isKept() {
    return isInMemory() || source != PastSource.NONE;
  }

  /** Tells when what is past has changed after all. */
  public LateIntervals late() {
    return late;
  }

  /** Where older intervals can be read than memory has. */
  public PastSource source() {
    return source;
  }

  /**
   * Since when memory has all that was recorded of a series, so that an answer without values can
   * tell "nothing was recorded" from "nothing is kept"; {@link Instant#MAX} when anything may be
   * missing.
   *
   * <p>A living series keeps all its intervals. Another under the same name may have ended before
   * it, and took its own along; but it had been silent for the idle expiry by then. So nothing is
   * missing from that long before the series began, as far as there was a store.
   */
  public Instant since(Series series) {
    if (history == null || history.droppedIntervals() > 0) {
      return Instant.MAX;
    }
    Instant silentFrom = series.createdAt().minus(idleExpiry);
    Instant begunAt = clock.begunAt();
    return idleExpiry.isZero() || silentFrom.isBefore(begunAt) ? begunAt : silentFrom;
  }

  /** Merge context: keeps an interval, with its number in the journal or 0. */
  void remember(
      Series series,
      SeriesPart part,
      IntervalCounts counts,
      long startMillis,
      long endMillis,
      long record) {
    if (history != null) {
      series.remember(history, part, counts, startMillis, endMillis, record, clock.wallMillis());
    } else {
      series.lose(endMillis);
    }
    late.changed(changedFrom(series, startMillis, endMillis), clock.wallMillis());
  }

  /**
   * From its end on more was counted. If it began before its series did, that is there since then;
   * and if it is the first, files may have a series of the same name that ended, and the new one is
   * there in the time between, too.
   */
  private long changedFrom(Series series, long startMillis, long endMillis) {
    if (series.intervals() <= 1 && source != PastSource.NONE) {
      return Long.MIN_VALUE;
    }
    return startMillis < series.createdAt().toEpochMilli() ? startMillis : endMillis;
  }

  /** Merge context: a series ends: it is not there after its last interval, nor in memory. */
  void ends(Series series) {
    HistoryExtent kept = MemoryExtent.of(series);
    long last = series.lastSeen().toEpochMilli();
    late.changed(kept.isEmpty() ? last : Math.min(last, kept.toMillis()), clock.wallMillis());
    forget(series);
  }

  /** Merge context: gives the memory of a series' intervals back, when it has ended. */
  public void forget(Series series) {
    if (history != null) {
      series.forget(history);
    }
  }
}
