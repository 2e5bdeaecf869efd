package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Adds up intervals of any series, each layout apart. Made to be reused; one thread at a time.
 * Memory: one counter for each bucket between the least and the greatest that was ever used, in
 * pages, for each layout.
 */
public final class IntervalSum {
  private final Map<BucketLayout, Accumulation> parts = new LinkedHashMap<>();
  private final PackedInterval unpacked = new PackedInterval();
  private HistoryRange range = HistoryRange.EMPTY;

  /** Forgets everything and keeps the memory. */
  public void clear() {
    parts.values().forEach(Accumulation::clear);
    range = HistoryRange.EMPTY;
  }

  /**
   * Adds an interval. O(its non-zero buckets).
   *
   * @throws IOException when it cannot be read any more; nothing is added
   * @throws ArithmeticException when the count of a layout would pass {@link Long#MAX_VALUE}
   */
  public void add(PastInterval interval) throws IOException {
    interval.addTo(this);
    cover(interval);
  }

  /** The same of one in memory, which can always be read. */
  public void add(KeptInterval interval) {
    interval.addTo(this);
    cover(interval);
  }

  private void cover(PastInterval interval) {
    range = range.and(HistoryRange.of(interval.startMillis(), interval.endMillis()));
  }

  void addPacked(BucketLayout layout, byte[] packed) {
    unpacked.unpack(packed);
    unpacked.addTo(parts.computeIfAbsent(layout, Accumulation::new));
  }

  /**
   * Adds what was counted, without its time: for {@link PastInterval}s, of whatever source.
   *
   * @throws ArithmeticException when the count of a layout would pass {@link Long#MAX_VALUE}
   */
  public void add(BucketLayout layout, IntervalCounts counted) {
    if (counted.counts().total() > 0) {
      parts.computeIfAbsent(layout, Accumulation::new).add(counted.counts(), counted.figures());
    }
  }

  /** Adds the sums of all layouts that have counts to a distribution. */
  public void addTo(Distribution into) {
    forEach(c -> into.add(c.counts(), c.figures()));
  }

  /** Visits the sums of all layouts that have counts. */
  public void forEach(Consumer<Accumulation> visitor) {
    for (Accumulation part : parts.values()) {
      if (!part.isEmpty()) {
        visitor.accept(part);
      }
    }
  }

  /** Memory of the counters, whether they are used at the moment or not. O(layouts). */
  public long allocatedBytes() {
    long bytes = 0;
    for (Accumulation part : parts.values()) {
      bytes += part.counts().allocatedBytes();
    }
    return bytes;
  }

  /** How many layouts have counts. */
  public int layouts() {
    return (int) parts.values().stream().filter(part -> !part.isEmpty()).count();
  }

  /** How many buckets have counts, those of all layouts. O(counters). */
  public long buckets() {
    long[] buckets = new long[1];
    for (Accumulation part : parts.values()) {
      part.counts().forEach((index, count) -> buckets[0]++);
    }
    return buckets[0];
  }

  /** Which time the intervals cover. */
  public HistoryRange range() {
    return range;
  }
}
