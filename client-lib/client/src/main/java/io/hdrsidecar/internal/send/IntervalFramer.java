package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.ExemplarExtension;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes an interval as one INTERVAL frame, or as several of neighbouring bucket ranges when one
 * would be longer than the sidecar takes.
 *
 * <p>Parts add up to the whole: counts bucket by bucket, and the sum exactly. A part's own sum
 * cannot be known, so it is chosen within what its buckets allow; minimum and maximum are exact
 * where the whole's lie, and bucket edges elsewhere.
 */
public final class IntervalFramer implements AutoCloseable {
  private final HistogramEncoder histograms = new HistogramEncoder();
  private final FrameEncoder frames = new FrameEncoder();
  private final SparseCounts buckets = new SparseCounts();
  private final List<BucketRange> parts = new ArrayList<>();

  private final List<BigInteger> sums = new ArrayList<>();

  private record BucketRange(int from, int to) {}

  /** Has native memory until it is closed. */
  public IntervalFramer() {}

  /**
   * Encodes what waits of a series.
   *
   * @param firstSequence number of the first frame; further ones follow on
   * @return frames in order, at least one
   */
  List<InFlight.EncodedInterval> frame(
      OutgoingSeries series,
      Accumulation counts,
      long firstSequence,
      int maxBodyBytes,
      int maxBuckets,
      int deflateLevel) {
    IntervalHeader whole = IntervalHeader.of(counts, series.startMillis(), series.endMillis());
    return frame(series, counts, whole, firstSequence, maxBodyBytes, maxBuckets, deflateLevel);
  }

  /** The same of what waits elsewhere, of times of its own. */
  public List<InFlight.EncodedInterval> frame(
      OutgoingSeries series,
      Accumulation counts,
      IntervalHeader whole,
      long firstSequence,
      int maxBodyBytes,
      int maxBuckets,
      int deflateLevel) {
    long highest = series.definition().highestTrackableValue();
    ByteBuffer payload = histograms.encode(counts.counts(), highest, deflateLevel);
    int maxBytes = maxBodyBytes - ExemplarExtension.bytes(counts.exemplar());
    buckets.clear();
    parts.clear();
    sums.clear();
    if (maxBuckets != Integer.MAX_VALUE) {
      counts.counts().forEach(buckets);
    }
    if (payload.remaining() + IntervalFrame.FIXED_BYTES <= maxBytes
        && buckets.size() <= maxBuckets) {
      return List.of(interval(series, firstSequence, whole, payload, counts.exemplar()));
    }
    buckets.clear();
    counts.counts().forEach(buckets);
    split(counts.counts(), 0, buckets.size(), maxBytes, maxBuckets, highest, deflateLevel);
    return frameParts(series, counts, whole, firstSequence, deflateLevel);
  }

  /** First bucket of the i-th frame made last. */
  int fromIndex(int i) {
    return parts.isEmpty() ? 0 : buckets.indexAt(parts.get(i).from());
  }

  /** The bucket behind its last. */
  int toIndex(int i) {
    return parts.isEmpty() ? Integer.MAX_VALUE : buckets.indexAt(parts.get(i).to() - 1) + 1;
  }

  /** The lower 64 bits of its sum, of counts that were framed. */
  long sumLow(int i, Accumulation counts) {
    return sums.isEmpty() ? counts.sum().low() : sums.get(i).longValue();
  }

  private InFlight.EncodedInterval interval(
      OutgoingSeries series,
      long sequence,
      IntervalHeader header,
      ByteBuffer payload,
      @Nullable Exemplar exemplar) {
    byte[] frame = frames.interval(sequence, series.id(), header, payload, exemplar).take();
    return new InFlight.EncodedInterval(sequence, series, header.count(), ByteBuffer.wrap(frame));
  }

  /** Halves a range of non-zero buckets until each part fits. */
  private void split(
      PagedCounts counts,
      int from,
      int to,
      int maxBodyBytes,
      int maxBuckets,
      long highest,
      int deflateLevel) {
    ByteBuffer payload = encode(counts, new BucketRange(from, to), highest, deflateLevel);
    boolean fits =
        payload.remaining() + IntervalFrame.FIXED_BYTES <= maxBodyBytes && to - from <= maxBuckets;
    if (to - from == 1 || fits) {
      parts.add(new BucketRange(from, to));
    } else {
      int middle = (from + to) >>> 1;
      split(counts, from, middle, maxBodyBytes, maxBuckets, highest, deflateLevel);
      split(counts, middle, to, maxBodyBytes, maxBuckets, highest, deflateLevel);
    }
  }

  private ByteBuffer encode(PagedCounts counts, BucketRange part, long highest, int deflateLevel) {
    int fromIndex = buckets.indexAt(part.from());
    int toIndex = buckets.indexAt(part.to() - 1) + 1;
    return histograms.encode(counts, fromIndex, toIndex, highest, deflateLevel);
  }

  private List<InFlight.EncodedInterval> frameParts(
      OutgoingSeries series,
      Accumulation counts,
      IntervalHeader whole,
      long firstSequence,
      int deflateLevel) {
    sums.addAll(sums(counts.counts().layout(), counts.sum().toBigInteger()));
    long highest = series.definition().highestTrackableValue();
    List<InFlight.EncodedInterval> intervals = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      IntervalHeader header = header(counts.counts().layout(), whole, i, sums.get(i));
      ByteBuffer payload = encode(counts.counts(), parts.get(i), highest, deflateLevel);
      Exemplar exemplar = i == parts.size() - 1 ? counts.exemplar() : null; // with the slowest
      intervals.add(interval(series, firstSequence + i, header, payload, exemplar));
    }
    return intervals;
  }

  private IntervalHeader header(BucketLayout layout, IntervalHeader whole, int i, BigInteger sum) {
    BucketRange part = parts.get(i);
    long count = 0;
    for (int bucket = part.from(); bucket < part.to(); bucket++) {
      count += buckets.countAt(bucket);
    }
    boolean isFirst = i == 0;
    boolean isLast = i == parts.size() - 1;
    SumMinMax sumMinMax =
        SumMinMax.of(
            sum.shiftRight(64).longValueExact(),
            sum.longValue(),
            /* exact= */ true,
            isFirst ? whole.sumMinMax().min() : layout.lowestValueAt(buckets.indexAt(part.from())),
            isLast
                ? whole.sumMinMax().max()
                : layout.highestValueAt(buckets.indexAt(part.to() - 1)));
    return new IntervalHeader(whole.startMillis(), whole.endMillis(), count, sumMinMax);
  }

  /**
   * Shares the sum out: to each part the least its buckets allow, then to each in turn as much of
   * the rest as its buckets allow. What is left, if the sum fits no such buckets, goes to the
   * first.
   */
  private List<BigInteger> sums(BucketLayout layout, BigInteger whole) {
    List<BigInteger> sums = new ArrayList<>(parts.size());
    BigInteger rest = whole;
    for (BucketRange part : parts) {
      BigInteger least = bound(layout, part, true);
      sums.add(least);
      rest = rest.subtract(least);
    }
    for (int i = 0; i < sums.size() && rest.signum() > 0; i++) {
      BigInteger room = bound(layout, parts.get(i), false).subtract(sums.get(i));
      BigInteger share = rest.min(room);
      sums.set(i, sums.get(i).add(share));
      rest = rest.subtract(share);
    }
    if (rest.signum() < 0) {
      sums.replaceAll(ignored -> BigInteger.ZERO);
      rest = whole;
    }
    sums.set(0, sums.get(0).add(rest));
    return sums;
  }

  private BigInteger bound(BucketLayout layout, BucketRange part, boolean lowest) {
    BigInteger sum = BigInteger.ZERO;
    for (int i = part.from(); i < part.to(); i++) {
      int index = buckets.indexAt(i);
      long value = lowest ? layout.lowestValueAt(index) : layout.highestValueAt(index);
      sum = sum.add(BigInteger.valueOf(value).multiply(BigInteger.valueOf(buckets.countAt(i))));
    }
    return sum;
  }

  /** Frees native memory. */
  @Override
  public void close() {
    histograms.close();
  }
}
