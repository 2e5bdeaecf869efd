package io.hdrsidecar.sidecar.files;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.RecordRanges;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the intervals of one series in one layout stand in one file: columns of numbers, in the
 * order of the file. Filled by one thread, then read by any.
 */
final class FileLane {
  /** Start, end, place, length and number of an interval. */
  static final int BYTES_PER_INTERVAL = 3 * Long.BYTES + 2 * Integer.BYTES;

  private final LogFileBytes file;
  private final BucketLayout layout;
  private long[] starts = new long[16];
  private long[] ends = new long[16];
  private long[] offsets = new long[16];
  private int[] lengths = new int[16];
  private int[] records = new int[16];
  private int size;
  private long fromMillis = Long.MAX_VALUE;
  private long toMillis = Long.MIN_VALUE;

  FileLane(LogFileBytes file, BucketLayout layout) {
    this.file = file;
    this.layout = layout;
  }

  LogFileBytes file() {
    return file;
  }

  BucketLayout layout() {
    return layout;
  }

  /** Start of the interval that starts first. */
  long fromMillis() {
    return fromMillis;
  }

  /** End of the interval that ends last. */
  long toMillis() {
    return toMillis;
  }

  void add(long startMillis, long endMillis, long offset, int length, int record) {
    if (size == starts.length) {
      int longer = size + (size >> 1);
      starts = Arrays.copyOf(starts, longer);
      ends = Arrays.copyOf(ends, longer);
      offsets = Arrays.copyOf(offsets, longer);
      lengths = Arrays.copyOf(lengths, longer);
      records = Arrays.copyOf(records, longer);
    }
    starts[size] = startMillis;
    ends[size] = endMillis;
    offsets[size] = offset;
    lengths[size] = length;
    records[size] = record;
    size++;
    fromMillis = Math.min(fromMillis, startMillis);
    toMillis = Math.max(toMillis, endMillis);
  }

  /**
   * Whether it may have an interval that overlaps a range. One without length may be at its start.
   */
  boolean overlaps(long from, long to) {
    return fromMillis < to && toMillis >= from;
  }

  /**
   * Adds the intervals that overlap a range. A log need not be in order, so it looks at each, which
   * takes a few milliseconds for a million.
   *
   * @param except numbers that are not wanted
   * @param limit with more than these, one more is added and the rest left out
   */
  void addOverlapping(
      long from,
      long to,
      @Nullable RecordRanges except,
      int limit,
      FileReading reading,
      List<PastInterval> into) {
    for (int i = 0; i < size && into.size() <= limit; i++) {
      boolean isEmpty = starts[i] == ends[i]; // a moment is in the range that it begins
      boolean inRange = starts[i] < to && (ends[i] > from || (isEmpty && starts[i] == from));
      if (inRange && (except == null || !except.contains(records[i]))) {
        into.add(new FileInterval(this, i, reading));
      }
    }
  }

  long startMillis(int i) {
    return starts[i];
  }

  long endMillis(int i) {
    return ends[i];
  }

  /** Where the text of the histogram begins. */
  long offset(int i) {
    return offsets[i];
  }

  /** How long that text is. */
  int length(int i) {
    return lengths[i];
  }
}
