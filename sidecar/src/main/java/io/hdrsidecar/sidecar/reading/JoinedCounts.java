package io.hdrsidecar.sidecar.reading;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Adds up many series, page by page of their counters instead of bucket by bucket, which is many
 * times faster than joining {@link Distribution}s and gives the same: counts of equal layout add,
 * those of others are kept apart.
 *
 * <p>A series is copied first and added when the copy is known to be whole. Made to be reused; one
 * thread at a time.
 */
public final class JoinedCounts implements CountsReader {
  private final LayoutSums joined = new LayoutSums();
  private LayoutSums copied = new LayoutSums();
  private final Distribution overflow = new Distribution();
  private final LongConsumer room;

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
  public void forget() {
    overflow.clear();
    joined.clear();
  }

  /**
   * Adds what a series has counted.
   *
   * @param mostBytes most that the counters to be read may take
   * @param reading lets a reader read them
   */
  public void add(long mostBytes, Consumer<CountsReader> reading) {
    // A copy, and at worst as much again where nothing was counted before.
    room.accept(allocatedBytes() + 2 * mostBytes);
    reading.accept(this);
    copied.forEach(this::keep);
  }

  private void keep(Accumulation copy) {
    Accumulation sum = joined.of(copy.counts().layout());
    if (sum.count() > Long.MAX_VALUE - copy.count()) {
      // No counter could hold it; a distribution stays at the largest number there is.
      overflow.add(sum.counts(), sum.sumMinMax());
      sum.clear();
    }
    sum.add(copy);
  }

  /** Adds all that was added up to a distribution. */
  public void addTo(Distribution into) {
    room.accept(
        allocatedBytes()
            + into.allocatedBytes()
            + Distribution.bytesFor(
                into.size() + overflow.size() + joined.buckets(), joined.layouts()));
    into.add(overflow);
    joined.addTo(into);
  }

  private long allocatedBytes() {
    return overflow.allocatedBytes() + joined.allocatedBytes() + copied.allocatedBytes();
  }

  /** Forgets what was read of one series. */
  @Override
  public void clear() {
    copied.clear();
  }

  @Override
  public void add(PagedCounts counts, SumMinMax sumMinMax) {
    copied.of(counts.layout()).add(counts, sumMinMax);
  }

  @Override
  public CountsReader another() {
    return new JoinedCounts();
  }

  @Override
  public void takeOver(CountsReader filled) {
    copied = ((JoinedCounts) filled).copied;
  }
}
