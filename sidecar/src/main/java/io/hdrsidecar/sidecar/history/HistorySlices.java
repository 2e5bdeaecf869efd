package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * What a reader took out of the lanes of a series: references to packed intervals, lane by lane.
 * One thread at a time.
 */
public final class HistorySlices {
  private static final class Slice {
    private final Accumulation counts;
    private final List<long[]> times = new ArrayList<>();
    private final List<byte[]> packed = new ArrayList<>();

    Slice(BucketLayout layout) {
      counts = new Accumulation(layout);
    }
  }

  /** Takes a sum of intervals. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * One interval, or the sum of some; the counts are only valid until this returns.
     *
     * @param sumExact whether the sum was counted, not derived from buckets
     */
    void visit(long startMillis, long endMillis, Accumulation counts, boolean sumExact);
  }

  private final List<Slice> slices = new ArrayList<>();
  private final long limit;
  private long taken;
  private final PackedInterval unpacked = new PackedInterval();

  /** Takes all there are. */
  public HistorySlices() {
    this(Long.MAX_VALUE);
  }

  /**
   * Takes no more than there is room for.
   *
   * @param limit of what is behind these, nothing is taken
   */
  public HistorySlices(long limit) {
    this.limit = limit;
  }

  /** Empty, with the same limit. */
  public HistorySlices another() {
    return new HistorySlices(limit);
  }

  /** Forgets everything. */
  public void clear() {
    slices.clear();
    taken = 0;
  }

  /** Takes over what another holds. */
  public void takeOver(HistorySlices other) {
    slices.clear();
    slices.addAll(other.slices);
    taken = other.taken;
  }

  void begin(BucketLayout layout) {
    slices.add(new Slice(layout));
  }

  void add(long start, long end, byte[] bytes) {
    if (taken < limit) {
      taken++;
      Slice slice = slices.get(slices.size() - 1);
      slice.times.add(new long[] {start, end});
      slice.packed.add(bytes);
    }
  }

  /** All intervals, those of a layout in the order of their starts; they stay valid. */
  public List<KeptInterval> intervals() {
    List<KeptInterval> all = new ArrayList<>();
    for (Slice slice : slices) {
      for (int i = 0; i < slice.packed.size(); i++) {
        long[] time = slice.times.get(i);
        all.add(
            new KeptInterval(
                slice.counts.counts().layout(), time[0], time[1], slice.packed.get(i)));
      }
    }
    return all;
  }

  /** Visits each interval, those of a layout in the order of their starts. */
  public void forEach(Visitor visitor) {
    for (Slice slice : slices) {
      for (int i = 0; i < slice.packed.size(); i++) {
        slice.counts.clear();
        unpacked.unpack(slice.packed.get(i));
        unpacked.addTo(slice.counts);
        long[] time = slice.times.get(i);
        visitor.visit(time[0], time[1], slice.counts, unpacked.isSumExact());
      }
    }
  }

  /**
   * Visits the sum of all intervals, once for each layout that has any.
   *
   * @return which time they cover
   */
  public HistoryRange forEachSum(Visitor visitor) {
    HistoryRange range = HistoryRange.EMPTY;
    for (Slice slice : slices) {
      slice.counts.clear();
      boolean exact = true;
      HistoryRange ofSlice = HistoryRange.EMPTY;
      for (int i = 0; i < slice.packed.size(); i++) {
        unpacked.unpack(slice.packed.get(i));
        unpacked.addTo(slice.counts);
        exact &= unpacked.isSumExact();
        long[] time = slice.times.get(i);
        ofSlice = ofSlice.and(HistoryRange.of(time[0], time[1]));
      }
      if (ofSlice.intervals() > 0) {
        visitor.visit(ofSlice.fromMillis(), ofSlice.toMillis(), slice.counts, exact);
      }
      range = range.and(ofSlice);
    }
    return range;
  }
}
