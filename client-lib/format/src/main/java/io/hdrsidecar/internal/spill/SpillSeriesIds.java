package io.hdrsidecar.internal.spill;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which series a {@link SpillVisitor} knows, by what a file calls them. Where the next one does not
 * fit beside the others they are forgotten, and ids begin anew with 1. One thread.
 *
 * @param <K> what a file calls a series
 */
public final class SpillSeriesIds<K> {
  private final Map<K, Integer> ids = new HashMap<>();
  private final SpillVisitor visitor;
  private final long maxBytes;
  private long bytes;

  /**
   * None yet.
   *
   * @param maxBytes that the definitions of those that are known take, as estimated
   */
  public SpillSeriesIds(SpillVisitor visitor, long maxBytes) {
    this.visitor = visitor;
    this.maxBytes = maxBytes;
  }

  /** What the visitor knows a series by, or null if it has to be told. */
  public @Nullable Integer idOf(K series) {
    return ids.get(series);
  }

  /**
   * Tells the visitor of a series that it does not know.
   *
   * @return its id
   */
  public int tell(K series, SeriesDefinition definition) {
    long more = definition.heapBytes();
    if (bytes + more > maxBytes) {
      ids.clear();
      bytes = 0;
    }
    int id = ids.size() + 1;
    ids.put(series, id);
    bytes += more;
    visitor.series(id, definition);
    return id;
  }
}
