package io.hdrsidecar.sidecar.reading;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sums of counts, one for each bucket layout, so that no count moves to a bucket of another. Made
 * to be reused; one thread at a time. Memory: one counter for each bucket between the least and the
 * greatest that was ever used, in pages, for each layout.
 */
public final class LayoutSums {
  private final Map<BucketLayout, Accumulation> sums = new LinkedHashMap<>();

  /** Forgets everything and keeps the memory. */
  public void clear() {
    sums.values().forEach(Accumulation::clear);
  }

  /** The sum of this layout, to be added to. */
  public Accumulation of(BucketLayout layout) {
    return sums.computeIfAbsent(layout, Accumulation::new);
  }

  /** Visits those that have counts. */
  public void forEach(Consumer<Accumulation> visitor) {
    for (Accumulation sum : sums.values()) {
      if (!sum.isEmpty()) {
        visitor.accept(sum);
      }
    }
  }

  /** Adds all of them to a distribution. */
  public void addTo(Distribution into) {
    forEach(sum -> into.add(sum.counts(), sum.sumMinMax()));
  }

  /** Memory of the counters, whether they are used at the moment or not. O(layouts). */
  public long allocatedBytes() {
    long bytes = 0;
    for (Accumulation sum : sums.values()) {
      bytes += sum.counts().allocatedBytes();
    }
    return bytes;
  }

  /** How many layouts have counts. */
  public int layouts() {
    return (int) sums.values().stream().filter(sum -> !sum.isEmpty()).count();
  }

  /** How many buckets have counts, those of all layouts. O(counters). */
  public long buckets() {
    long[] buckets = new long[1];
    for (Accumulation sum : sums.values()) {
      sum.counts().forEach((index, count) -> buckets[0]++);
    }
    return buckets[0];
  }
}
