package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Up to which record each series is in the checkpoint. By the name and labels that the journal has
 * of it: with a lower limit of series than before, several find their place in one overflow series,
 * and each has its own number.
 */
final class CheckpointTotals {
  /**
   * The total of a series in the checkpoint.
   *
   * @param lastRecord the last record in it; 0 for nothing
   * @param restoredTo where its counts went; null for a series of that name and labels, or nowhere
   */
  record Total(long lastRecord, @Nullable Series restoredTo) {
    /** The series with its counts, unless that has ended. */
    @Nullable Series living() {
      Series series = restoredTo;
      return series == null || series.hasEnded() ? null : series;
    }
  }

  private static final Total NONE = new Total(0, null);

  private final Map<SeriesKey, Total> totals = new HashMap<>();

  /** By the object: a file defines a series once, and comparing labels takes long. */
  private final IdentityHashMap<SeriesText, Total> found = new IdentityHashMap<>();

  /** A total of the checkpoint; layouts of one series have the same number. */
  void put(SeriesText text, long lastRecord, @Nullable Series restoredTo) {
    SeriesKey key = text.definition().key();
    boolean isItself = restoredTo != null && restoredTo.key().equals(key); // It is found by that.
    totals.put(key, new Total(lastRecord, isItself ? null : restoredTo));
  }

  /** The total of this series. After the last {@link #put}. */
  Total of(SeriesText text) {
    return found.computeIfAbsent(text, t -> totals.getOrDefault(t.definition().key(), NONE));
  }
}
