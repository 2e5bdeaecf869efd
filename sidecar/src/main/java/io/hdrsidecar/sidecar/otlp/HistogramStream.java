package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.otlp.CumulativeStreams.Stream;
import io.hdrsidecar.sidecar.otlp.DataPoint.SentExemplar;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last point of a histogram, with explicit buckets or with base-2 ones, and what the next one
 * says beyond it.
 */
final class HistogramStream extends Stream {
  /** A map entry, its key, and the object; measured with the header of its array. */
  private static final long STREAM_BYTES = 256;

  private final double min;
  private final double max;
  private final @Nullable BigInteger sum;
  private final int scale;
  private final int offset;
  private final double zeroThreshold;
  private final long zeroCount;
  private final long negativeCount;
  private final int boundsHash;
  private final int length;
  private final byte[] packed;

  private HistogramStream(DataPoint point, long valuesPerUnit) {
    super(point.startNanos, point.timeNanos);
    min = point.min;
    max = point.max;
    sum = PointCounts.sum(point, valuesPerUnit);
    Base2Buckets positive = point.positive;
    long[] counts = positive == null ? point.counts : positive.counts();
    scale = positive == null ? 0 : positive.scale();
    offset = positive == null ? 0 : positive.offset();
    zeroThreshold = point.zeroThreshold;
    zeroCount = point.zeroCount;
    negativeCount = point.negativeCount;
    boundsHash = Arrays.hashCode(point.bounds);
    length = counts.length;
    packed = VarintCounts.pack(counts);
  }

  @Override
  long bytes() {
    return STREAM_BYTES + packed.length;
  }

  private Base2Buckets positive() {
    return new Base2Buckets(scale, offset, VarintCounts.unpack(packed, length));
  }

  /**
   * A point of a stream.
   *
   * @param valuesPerUnit whole numbers of the series for one unit of the sender
   */
  static CumulativeStreams.StreamPoint<PointCounts> point(DataPoint point, long valuesPerUnit) {
    return new OfHistogram(point, valuesPerUnit);
  }

  private record OfHistogram(DataPoint point, long valuesPerUnit)
      implements CumulativeStreams.StreamPoint<PointCounts> {
    @Override
    public Stream remembered() {
      return new HistogramStream(point, valuesPerUnit);
    }

    @Override
    public PointCounts whole() {
      return PointCounts.of(point, valuesPerUnit);
    }

    @Override
    public @Nullable PointCounts since(Stream before) {
      return difference((HistogramStream) before, point, whole());
    }

    @Override
    public long values() {
      return point.count;
    }
  }

  /** Null where that would be negative, or buckets are others. */
  private static @Nullable PointCounts difference(
      HistogramStream before, DataPoint point, PointCounts all) {
    Base2Buckets positive = null;
    long[] counts = all.counts();
    long zeroCount = 0;
    if (all.positive() == null) {
      if (before.boundsHash != Arrays.hashCode(point.bounds) || before.length != counts.length) {
        return null;
      }
      counts = minus(counts, VarintCounts.unpack(before.packed, before.length), 0);
    } else {
      int scale = Math.min(before.scale, all.positive().scale());
      double threshold = Math.max(before.zeroThreshold, point.zeroThreshold);
      // A threshold is an edge at the scale of its time: first it is taken out, then joined.
      Base2Buckets now = all.positive();
      Base2Buckets nowAbove = now.above(threshold).at(scale);
      Base2Buckets then = before.positive();
      Base2Buckets thenAbove = then.above(threshold).at(scale);
      long[] rest = minus(nowAbove, thenAbove);
      counts = rest;
      zeroCount =
          point.zeroCount
              + (now.total() - nowAbove.total())
              - before.zeroCount
              - (then.total() - thenAbove.total());
      positive = rest == null ? null : new Base2Buckets(scale, nowAbove.offset(), rest);
    }
    long negativeCount = all.negativeCount() - before.negativeCount;
    if (counts == null || zeroCount < 0 || negativeCount < 0) {
      return null;
    }
    SentExemplar exemplar = all.exemplar();
    return new PointCounts(
        before.timeNanos(),
        all.endNanos(),
        positive,
        zeroCount,
        negativeCount,
        all.bounds(),
        positive == null ? counts : all.counts(),
        sum(before.sum, all.sum()),
        point.min < before.min ? point.min : Double.NaN, // Only an extreme that is new is of now.
        point.max > before.max ? point.max : Double.NaN,
        exemplar != null && exemplar.timeNanos() > before.timeNanos() ? exemplar : null);
  }

  private static long @Nullable [] minus(Base2Buckets now, Base2Buckets then) {
    if (then.counts().length == 0) {
      return now.counts().clone();
    }
    int shift = then.offset() - now.offset();
    if (shift < 0 || then.last() > now.last()) {
      return null; // It counted where nothing is counted any more.
    }
    return minus(now.counts(), then.counts(), shift);
  }

  private static long @Nullable [] minus(long[] now, long[] then, int shift) {
    long[] rest = now.clone();
    for (int i = 0; i < then.length; i++) {
      rest[i + shift] -= then[i];
      if (rest[i + shift] < 0) {
        return null;
      }
    }
    return rest;
  }

  private static @Nullable BigInteger sum(@Nullable BigInteger before, @Nullable BigInteger now) {
    if (before == null || now == null || now.compareTo(before) < 0) {
      return null;
    }
    return now.subtract(before);
  }
}
