package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.counts.Distribution;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Adds up many series, page by page of their counters instead of bucket by bucket, which is many
 * times faster than joining {@link Distribution}s and gives the same: counts of equal layout add,
 * those of others are kept apart.
 *
 * <p>A series is copied first and added when the copy is known to be whole. Made to be reused; one
 * thread at a time.
 */
public final class JoinedCounts implements SeriesCopy {
  private static final class Part {
    private Accumulation copy;
    private boolean copyExact;
    private final Accumulation joined;
    private boolean joinedExact = true;

    Part(BucketLayout layout) {
      copy = new Accumulation(layout);
      joined = new Accumulation(layout);
    }
  }

  private final Map<BucketLayout, Part> byLayout = new LinkedHashMap<>();
  private final Distribution overflow = new Distribution();
  private final LongConsumer room;
  private int which = SeriesPart.TOTAL;

  /** Takes what memory it needs. */
  public JoinedCounts() {
    this(bytes -> {});
  }

  /**
   * Asks for memory first.
   *
   * @param room told how many bytes are going to be held in all; it throws if there are not so many
   */
  public JoinedCounts(LongConsumer room) {
    this.room = room;
  }

  /** Forgets everything and keeps the memory. */
  public void clear() {
    overflow.clear();
    for (Part part : byLayout.values()) {
      part.joined.clear();
      part.joinedExact = true;
    }
  }

  /** Adds what a series counted since it began. */
  public void addTotal(Series series) {
    add(series, SeriesPart.TOTAL);
  }

  /**
   * Adds what a series counted in a window.
   *
   * @param windowIndex place in {@link SeriesStore#windows}
   */
  public void addWindow(Series series, int windowIndex) {
    add(series, windowIndex);
  }

  private void add(Series series, int index) {
    which = index;
    // A copy, and at worst as much again where nothing was counted before.
    room.accept(allocatedBytes() + 2 * SeriesSize.countersBytes(series));
    series.read(this);
    for (Part part : byLayout.values()) {
      if (!part.copy.isEmpty()) {
        keep(part);
      }
    }
  }

  private void keep(Part part) {
    if (part.joined.count() > Long.MAX_VALUE - part.copy.count()) {
      // No counter could hold it; a distribution stays at the largest number there is.
      addTo(overflow, part);
      part.joined.clear();
    }
    part.joined.add(part.copy);
    part.joinedExact &= part.copyExact;
  }

  private static void addTo(Distribution into, Part part) {
    Accumulation joined = part.joined;
    into.add(joined.counts(), joined.sum(), part.joinedExact, joined.min(), joined.max());
  }

  /** Adds all that was added up to a distribution. */
  public void addTo(Distribution into) {
    room.accept(
        allocatedBytes()
            + into.allocatedBytes()
            + Distribution.bytesFor(into.size() + buckets(), byLayout.size()));
    into.add(overflow);
    byLayout.values().forEach(part -> addTo(into, part));
  }

  private long allocatedBytes() {
    long bytes = overflow.allocatedBytes();
    for (Part part : byLayout.values()) {
      bytes += part.copy.counts().allocatedBytes() + part.joined.counts().allocatedBytes();
    }
    return bytes;
  }

  private long buckets() {
    long[] buckets = {overflow.size()};
    for (Part part : byLayout.values()) {
      part.joined.counts().forEach((index, count) -> buckets[0]++);
    }
    return buckets[0];
  }

  @Override
  public void take(SeriesPart[] parts, long lastRecord, long intervals) {
    byLayout.values().forEach(part -> part.copy.clear());
    for (SeriesPart part : parts) {
      Part into = byLayout.computeIfAbsent(part.layout(), Part::new);
      into.copyExact = part.copyTo(into.copy, which);
    }
  }

  @Override
  public SeriesCopy another() {
    JoinedCounts another = new JoinedCounts();
    another.which = which;
    return another;
  }

  @Override
  public void takeOver(SeriesCopy filled) {
    byLayout.values().forEach(part -> part.copy.clear());
    ((JoinedCounts) filled)
        .byLayout.forEach(
            (layout, other) -> {
              Part mine = byLayout.computeIfAbsent(layout, Part::new);
              mine.copy = other.copy;
              mine.copyExact = other.copyExact;
            });
  }
}
