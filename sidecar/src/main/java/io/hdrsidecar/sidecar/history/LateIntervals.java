package io.hdrsidecar.sidecar.history;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells who has read the past that it has changed: an interval was merged that had ended some time
 * before, as after a lost connection or when a log is uploaded. One writer; watches are any
 * thread's.
 */
public final class LateIntervals {
  /** What arrives no later than this after its end is not late; younger times are not settled. */
  public static final long SETTLED_MILLIS = 10_000;

  private final List<Watch> watches = new CopyOnWriteArrayList<>();

  /**
   * Remembers the earliest end of all late intervals that were merged since it was made or asked.
   */
  public final class Watch implements AutoCloseable {
    private final AtomicLong earliest = new AtomicLong(Long.MAX_VALUE);

    /** That end; later than any when there was none. */
    public long earliestEnd() {
      return earliest.get();
    }

    /** The same, and begins anew. */
    public long takeEarliestEnd() {
      return earliest.getAndSet(Long.MAX_VALUE);
    }

    @Override
    public void close() {
      watches.remove(this);
    }
  }

  /** Begins to watch. */
  public Watch watch() {
    Watch watch = new Watch();
    watches.add(watch);
    return watch;
  }

  /** Merge context: an interval was merged, and can be read by now. */
  public void merged(long endMillis, long nowMillis) {
    if (endMillis < nowMillis - SETTLED_MILLIS) {
      for (Watch each : watches) {
        each.earliest.accumulateAndGet(endMillis, Math::min);
      }
    }
  }
}
