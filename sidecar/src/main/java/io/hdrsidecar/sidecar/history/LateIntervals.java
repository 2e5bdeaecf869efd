package io.hdrsidecar.sidecar.history;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Tells who has read the past that it has changed: an interval was merged that had ended some time
 * before, as after a lost connection or when a log is uploaded. One writer; watches are any
 * thread's.
 */
public final class LateIntervals {
  /** What arrives no later than this after its end is not late; younger times are not settled. */
  public static final long SETTLED_MILLIS = 10_000;

  /** Replaced, never changed, and without an iterator: merging allocates nothing. */
  private volatile Watch[] watches = {};

  /**
   * Remembers since when the past has changed since the watch was made or asked: the earliest end
   * of all late intervals, or where a series is there that was not before.
   */
  public final class Watch implements AutoCloseable {
    private final AtomicLong earliest = new AtomicLong(Long.MAX_VALUE);
    private volatile long settledTo;

    private Watch(long settledTo) {
      this.settledTo = settledTo;
    }

    /** Up to then times are settled for this watch, whatever the clock says later. */
    public void settle(long toMillis) {
      settledTo = toMillis;
    }

    /** Since when it has changed; later than any time when it has not. */
    public long changedFrom() {
      return earliest.get();
    }

    /** The same, and begins anew. */
    public long takeChangedFrom() {
      return earliest.getAndSet(Long.MAX_VALUE);
    }

    @Override
    public void close() {
      remove(this);
    }
  }

  /**
   * Begins to watch.
   *
   * @param settledTo up to when times are settled for it, at least
   */
  public synchronized Watch watch(long settledTo) {
    Watch watch = new Watch(settledTo);
    // In front, since the youngest must know first: what it has read is not yet with the older.
    watches = Stream.concat(Stream.of(watch), Stream.of(watches)).toArray(Watch[]::new);
    return watch;
  }

  private synchronized void remove(Watch watch) {
    watches = Stream.of(watches).filter(each -> each != watch).toArray(Watch[]::new);
  }

  /**
   * Merge context: what was merged, or has ended, changes times from there on, and can be read by
   * now.
   */
  public void changed(long fromMillis, long nowMillis) {
    for (Watch each : watches) {
      if (fromMillis <= Math.max(nowMillis - SETTLED_MILLIS, each.settledTo)) {
        each.earliest.accumulateAndGet(fromMillis, Math::min);
      }
    }
  }
}
