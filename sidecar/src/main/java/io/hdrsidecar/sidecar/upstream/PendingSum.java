package io.hdrsidecar.sidecar.upstream;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What one series has counted in one layout since the last batch. One thread at a time. */
final class PendingSum {
  /** The objects, and their places in a map. */
  static final long OBJECT_BYTES = 400;

  private final BucketLayout layout;
  private @Nullable Accumulation counts;
  private @Nullable SeriesDefinition definition;
  private long startMillis;
  private long endMillis;

  PendingSum(BucketLayout layout) {
    this.layout = layout;
  }

  BucketLayout layout() {
    return layout;
  }

  boolean isEmpty() {
    return counts == null;
  }

  /** By how much adding these would enlarge it, at most. */
  long growthFor(SparseCounts added) {
    Accumulation sum = counts;
    return sum == null
        ? OBJECT_BYTES + new Accumulation(layout).counts().committedGrowthFor(added)
        : sum.counts().committedGrowthFor(added);
  }

  /**
   * Adds an interval.
   *
   * @return by how many bytes it has grown
   */
  long add(
      SparseCounts added, SumMinMax sumMinMax, @Nullable Exemplar exemplar, long start, long end) {
    Accumulation sum = counts;
    long before = 0;
    if (sum == null) {
      sum = new Accumulation(layout);
      counts = sum;
      before = -OBJECT_BYTES;
      startMillis = start;
      endMillis = Math.max(start, end);
    } else {
      before = sum.counts().allocatedBytes();
      startMillis = Math.min(startMillis, start);
      endMillis = Math.max(endMillis, end);
    }
    sum.add(added, sumMinMax);
    sum.offer(exemplar);
    return sum.counts().allocatedBytes() - before;
  }

  /**
   * Gives away what there is, not nothing.
   *
   * @param handedOn under which name and labels
   * @param highestTrackableValue of the series; of a payload it may have been higher
   */
  UpstreamBatch.SummedSeries take(
      UnaryOperator<SeriesKey> handedOn, Series series, long highestTrackableValue) {
    SeriesDefinition known = definition;
    if (known == null || known.highestTrackableValue() < highest(highestTrackableValue)) {
      known =
          new SeriesDefinition(
              handedOn.apply(series.key()),
              series.unit(),
              series.help(),
              layout,
              highest(highestTrackableValue));
      definition = known;
    }
    return take(known);
  }

  /** The same of a series that is known by its definition alone. */
  UpstreamBatch.SummedSeries take(UnaryOperator<SeriesKey> handedOn, SeriesDefinition of) {
    return take(
        new SeriesDefinition(
            handedOn.apply(of.key()),
            of.unit(),
            of.help(),
            layout,
            highest(of.highestTrackableValue())));
  }

  private long highest(long highestTrackableValue) {
    return Math.max(highestTrackableValue, requireNonNull(counts, "counts").max());
  }

  private UpstreamBatch.SummedSeries take(SeriesDefinition as) {
    Accumulation sum = requireNonNull(counts, "counts");
    counts = null;
    return new UpstreamBatch.SummedSeries(as, sum, startMillis, endMillis);
  }
}
