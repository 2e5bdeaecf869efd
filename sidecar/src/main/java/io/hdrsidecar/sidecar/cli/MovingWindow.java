package io.hdrsidecar.sidecar.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What the intervals of the last so many milliseconds of a log counted together. */
final class MovingWindow {
  private record Held(long endMillis, LogEntry entry) {}

  private final double percentile;
  private final long lengthMillis;
  private final Deque<Held> held = new ArrayDeque<>();
  private @Nullable ValueCounts counts;

  MovingWindow(double percentile, long lengthMillis) {
    this.percentile = percentile;
    this.lengthMillis = lengthMillis;
  }

  double percentile() {
    return percentile;
  }

  /**
   * Adds an interval and takes out those that ended as long before it as the window is long, or
   * longer.
   *
   * @return what is in the window, valid until the next call
   */
  ValueCounts add(LogEntry entry, long endMillis) {
    ValueCounts window = counts;
    if (window == null) {
      window = ValueCounts.like(entry);
      counts = window;
    }
    window.add(entry);
    while (!held.isEmpty() && held.getFirst().endMillis() <= endMillis - lengthMillis) {
      window.subtract(held.removeFirst().entry());
    }
    held.add(new Held(endMillis, entry.copy()));
    return window;
  }
}
