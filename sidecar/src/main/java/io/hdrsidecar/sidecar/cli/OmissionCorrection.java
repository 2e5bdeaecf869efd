package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SparseCounts;
import java.util.Locale;
import org.HdrHistogram.DoubleHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Adds the values that a stalled caller did not record: for each count of a value above the
 * expected interval, value - interval, value - 2 intervals, ... down to one interval.
 *
 * <p>A bucket stands for its highest value, as in HdrHistogram. The missing values of a bucket are
 * an arithmetic progression; a step takes all that fall in one bucket, so the work is bounded by
 * buckets and not by value / interval, which for an hour at a microsecond is 3.6 billion.
 *
 * <p>Source: HdrHistogram 2.2, {@code AbstractHistogram.addWhileCorrectingForCoordinatedOmission};
 * the tests compare bucket by bucket.
 */
final class OmissionCorrection {
  static final OmissionCorrection NONE = new OmissionCorrection(0);

  private final double expectedInterval;
  private @Nullable PagedCounts work;

  /**
   * A correction.
   *
   * @param expectedInterval in the unit of the recorded values; 0 or less for none
   */
  OmissionCorrection(double expectedInterval) {
    this.expectedInterval = expectedInterval;
  }

  boolean isNone() {
    return !(expectedInterval > 0);
  }

  /** Says in the output that the values are not as they were recorded. */
  String label() {
    return String.format(
        Locale.ROOT,
        "Corrected for coordinated omission, expected interval %s",
        expectedInterval == Math.rint(expectedInterval)
            ? String.format(Locale.ROOT, "%.0f", expectedInterval)
            : Double.toString(expectedInterval));
  }

  /**
   * The entry with what is missing.
   *
   * @throws IllegalArgumentException for an interval below 1 and counts of integers, and when the
   *     counts would pass {@link Long#MAX_VALUE}
   */
  LogEntry apply(LogEntry entry) {
    if (isNone()) {
      return entry;
    }
    DoubleHistogram floating = entry.floating();
    if (floating != null) {
      return LogEntry.ofFloating(floating.copyCorrectedForCoordinatedOmission(expectedInterval));
    }
    long interval = (long) expectedInterval;
    if (interval < 1) {
      throw new IllegalArgumentException(
          "expected interval must be at least 1 for values that are whole numbers: "
              + expectedInterval);
    }
    try {
      return corrected(entry, interval);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "corrected, it has more values than a count can hold, 2^63 - 1", e);
    }
  }

  private LogEntry corrected(LogEntry entry, long interval) {
    BucketLayout layout = entry.layout();
    PagedCounts target = workFor(layout);
    target.add(entry.counts());
    for (int i = 0; i < entry.counts().size(); i++) {
      long value = layout.highestValueAt(entry.counts().indexAt(i));
      addMissing(target, value, interval, entry.counts().countAt(i));
    }
    SparseCounts corrected = new SparseCounts();
    target.forEach(corrected);
    return new LogEntry(layout, entry.highestTrackable(), corrected, null);
  }

  private PagedCounts workFor(BucketLayout layout) {
    PagedCounts reused = work;
    if (reused == null || !reused.layout().equals(layout)) {
      reused = new PagedCounts(layout);
      work = reused;
    }
    reused.clear();
    return reused;
  }

  private static void addMissing(PagedCounts target, long value, long interval, long times) {
    if (value - interval < interval) {
      return;
    }
    BucketLayout layout = target.layout();
    long largest = value - interval;
    long next = value % interval + interval;
    while (next <= largest) {
      int index = layout.indexOf(next);
      long inBucket = (Math.min(layout.highestValueAt(index), largest) - next) / interval + 1;
      target.add(index, Math.multiplyExact(inBucket, times));
      next += inBucket * interval;
    }
  }
}
