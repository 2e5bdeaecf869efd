package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import io.hdrsidecar.sidecar.history.HistoryLane;
import io.hdrsidecar.sidecar.history.WriteGuard;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.reading.CountsReader;
import io.hdrsidecar.sidecar.window.RollingWindow;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a series in one bucket layout: since start, and in each window. Parts of different
 * layouts never add to each other, so that no count moves to a coarser bucket. One writer; readers
 * follow the version of the series.
 */
final class SeriesPart {
  /** Stands for the counts since start where a window's number is asked for. */
  static final int TOTAL = -1;

  private final Registration registration;
  private final Accumulation total;
  private final RollingWindow[] windows;
  private @Nullable HistoryLane history;

  SeriesPart(SeriesRef ref, BucketLayout layout, List<WindowSpec> specs, PackingScratch scratch) {
    this.registration = new Registration(ref, layout);
    this.total = new Accumulation(layout);
    this.windows = new RollingWindow[specs.size()];
    emptyWindows(specs, scratch);
  }

  BucketLayout layout() {
    return registration.layout();
  }

  /** The registration that those who send in this layout keep. */
  Registration registration() {
    return registration;
  }

  /** Forgets what the windows hold, and keeps the counts since start. */
  void emptyWindows(List<WindowSpec> specs, PackingScratch scratch) {
    for (int i = 0; i < windows.length; i++) {
      windows[i] = new RollingWindow(specs.get(i), layout(), scratch);
    }
  }

  /**
   * Whether the interval fits. A window holds some of the intervals of the total, so what the total
   * can count every window can.
   */
  boolean hasRoomFor(IntervalCounts interval) {
    return total.count() <= Long.MAX_VALUE - interval.counts().total()
        && total.sum().high() < Long.MAX_VALUE - interval.sumMinMax().sum().high();
  }

  /** To the counts since start: an interval that {@link #hasRoomFor} accepted. */
  void addToTotal(IntervalCounts interval) {
    total.add(interval.counts(), interval.sumMinMax());
  }

  /** The same interval, to the windows. */
  void addToWindows(IntervalCounts interval, long nowNanos) {
    for (RollingWindow window : windows) {
      window.advance(nowNanos);
      window.add(interval);
    }
  }

  /** To one window alone. */
  void addToWindow(int index, IntervalCounts held, long nowNanos) {
    windows[index].advance(nowNanos);
    windows[index].add(held);
  }

  boolean isDue(long nowNanos) {
    for (RollingWindow window : windows) {
      if (window.isDue(nowNanos)) {
        return true;
      }
    }
    return false;
  }

  void advance(long nowNanos) {
    for (RollingWindow window : windows) {
      window.advance(nowNanos);
    }
  }

  void copyTo(CountsReader into, int windowIndex) {
    if (windowIndex == TOTAL) {
      into.add(total.counts(), total.sumMinMax());
    } else {
      RollingWindow window = windows[windowIndex];
      if (window.isShown()) {
        into.add(window.counts(), window.sumMinMax());
      }
    }
  }

  /** Writer: where the intervals of this part are kept; made when the first comes. */
  HistoryLane history(WriteGuard guard) {
    HistoryLane lane = history;
    if (lane == null) {
      lane = new HistoryLane(layout(), guard);
      history = lane;
    }
    return lane;
  }

  /** Where the intervals are kept; null before the first. */
  @Nullable HistoryLane history() {
    return history;
  }

  void copyTotalTo(SeriesTotals into) {
    into.add(total, registration.highestTrackableValue());
  }

  /** The windows, emptied when they were given up, are fed again from now on. */
  void beginWindowsAgain(long nowNanos) {
    for (RollingWindow window : windows) {
      window.beginAgain(nowNanos);
    }
  }

  /** The counts since start. */
  PagedCounts total() {
    return total.counts();
  }

  int windowCount() {
    return windows.length;
  }

  /** Memory of the counts since start, in bytes. */
  long totalBytes() {
    return total.counts().allocatedBytes();
  }

  /**
   * The same as the budget reckons it, with counters of at least 32 bits: what is admitted stays
   * admitted while it goes on counting.
   */
  long committedBytes() {
    return total.counts().committedBytes();
  }

  /** The part of that which its counters do not take yet. */
  long untakenBytes() {
    return committedBytes() - totalBytes();
  }

  /** Memory of what the windows hold, in bytes; 0 for new ones. */
  long windowBytes() {
    long bytes = 0;
    for (RollingWindow window : windows) {
      bytes += window.allocatedBytes() - RollingWindow.EMPTY_BYTES;
    }
    return bytes;
  }

  /** That of a layout; throws RefusedException when there is none, or it has no room. */
  static SeriesPart withRoom(Series series, BucketLayout layout, IntervalCounts interval)
      throws RefusedException {
    SeriesPart part = series.part(layout);
    if (part == null) {
      throw new RefusedException(
          RejectReason.LAYOUT_MISMATCH,
          "series " + series.key() + " has the layouts " + series.layouts() + ", not " + layout);
    }
    if (!part.hasRoomFor(interval)) {
      throw new RefusedException(
          RejectReason.COUNT_OVERFLOW,
          "count and sum of " + series.key() + " have no room for this interval");
    }
    return part;
  }
}
