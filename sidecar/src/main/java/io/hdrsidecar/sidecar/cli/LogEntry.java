package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import org.HdrHistogram.DoubleHistogram;
import org.jspecify.annotations.Nullable;

/**
 * What one interval counted: buckets of integers, or a histogram of floating-point values. Those of
 * a {@link LogScan} are valid until it goes on.
 *
 * @param layout of integers; without meaning for floating-point values
 * @param highestTrackable of integers
 * @param counts of integers, empty for floating-point values
 * @param floating null for integers
 */
record LogEntry(
    BucketLayout layout,
    long highestTrackable,
    SparseCounts counts,
    @Nullable DoubleHistogram floating) {
  private static final BucketLayout NONE = BucketLayout.of(1, 3);

  static LogEntry ofFloating(DoubleHistogram histogram) {
    return new LogEntry(NONE, 2, new SparseCounts(), histogram);
  }

  boolean isFloating() {
    return floating != null;
  }

  long count() {
    return floating == null ? counts.total() : floating.getTotalCount();
  }

  /** One that stays as it is when the scan goes on. */
  LogEntry copy() {
    if (isFloating()) {
      return this; // A floating-point histogram is decoded anew for each line.
    }
    SparseCounts kept = new SparseCounts();
    for (int i = 0; i < counts.size(); i++) {
      kept.visit(counts.indexAt(i), counts.countAt(i));
    }
    return new LogEntry(layout, highestTrackable, kept, null);
  }
}
