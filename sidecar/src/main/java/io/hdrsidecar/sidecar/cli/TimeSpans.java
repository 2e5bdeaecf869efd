package io.hdrsidecar.sidecar.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long what was measured took: of each log the time from its first start to its last end, and
 * of several logs the time that at least one of them covers. So load generators that ran side by
 * side do not count twice, nor does the night between two runs.
 */
final class TimeSpans {
  private static final class Span {
    private final LogInput file;
    private long startMillis;
    private long endMillis;

    Span(LogInput file, long startMillis, long endMillis) {
      this.file = file;
      this.startMillis = startMillis;
      this.endMillis = endMillis;
    }
  }

  private final List<Span> spans = new ArrayList<>();
  private @Nullable Span last;

  /** Logs come one after the other. */
  void add(LogInput file, long startMillis, long endMillis) {
    Span current = last;
    if (current == null || !current.file.equals(file)) {
      current = new Span(file, startMillis, endMillis);
      last = current;
      spans.add(current);
    }
    current.startMillis = Math.min(current.startMillis, startMillis);
    current.endMillis = Math.max(current.endMillis, endMillis);
  }

  /** Milliseconds that at least one log covers. */
  long coveredMillis() {
    List<Span> ordered = new ArrayList<>(spans);
    ordered.sort(Comparator.comparingLong(span -> span.startMillis));
    long covered = 0;
    long reached = Long.MIN_VALUE;
    for (Span span : ordered) {
      long from = Math.max(span.startMillis, reached);
      covered += Math.max(span.endMillis - from, 0);
      reached = Math.max(reached, span.endMillis);
    }
    return covered;
  }
}
