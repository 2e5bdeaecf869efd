package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSource;
import java.util.HashMap;
import java.util.Map;

/**
 * What an evaluation holds of files: one reading for each range of time, however many selectors
 * read it, since each reading has files open. One thread at a time.
 */
final class Readings implements AutoCloseable {
  private record Range(long fromMillis, long toMillis) {}

  private final Map<Range, PastReading> open = new HashMap<>();

  /** A reading of this range, which is closed here. */
  PastReading of(PastSource source, long fromMillis, long toMillis) {
    return open.computeIfAbsent(
        new Range(fromMillis, toMillis),
        range -> source.open(range.fromMillis(), range.toMillis()));
  }

  /** Lets go of all; more may be opened afterwards. */
  @Override
  public void close() {
    open.values().forEach(PastReading::close);
    open.clear();
  }
}
