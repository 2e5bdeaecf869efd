package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.otlp.DataPoint.SentExemplar;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last point of each cumulative stream, and what the next one adds to it. One thread at a time.
 *
 * <p>What a point adds is never negative:
 *
 * <ul>
 *   <li>The same start, and no count below the one before: the difference.
 *   <li>A later start, or the same with a count below: the stream was reset, all of the point is
 *       new. The specification has it so, and Prometheus.
 *   <li>An earlier start, or an earlier time: the point was overtaken, it adds nothing.
 *   <li>A stream that is not known, whose start is later than all that were forgotten: all of the
 *       point is new.
 *   <li>One that started before, or does not say when: a sidecar before this one may have counted
 *       it. Nothing is added; what comes from now on is counted. The specification calls it an
 *       unknown start.
 * </ul>
 *
 * <p>A point is remembered by {@link Taken#commit} only, when the store has it: one that the store
 * refuses is in the difference of the next.
 */
final class CumulativeStreams {
  /** A map entry, its key, and the object; measured with the header of its array. */
  private static final long STREAM_BYTES = 256;

  /** One counter of a histogram with explicit buckets, or with base-2 ones. */
  private static final class Stream {
    private long startNanos;
    private long timeNanos;
    private long seenMillis;
    private double min;
    private double max;
    private @Nullable BigInteger sum;
    private int scale;
    private int offset;
    private double zeroThreshold;
    private long zeroCount;
    private long negativeCount;
    private int boundsHash;
    private int length;
    private byte[] packed = new byte[0];

    private long bytes() {
      return STREAM_BYTES + packed.length;
    }

    private Base2Buckets positive() {
      return new Base2Buckets(scale, offset, VarintCounts.unpack(packed, length));
    }
  }

  /** Why a stream began anew. */
  enum Reset {
    NONE,
    /** The sender said so. */
    START_TIME,
    /** A count was below the one before. */
    COUNT
  }

  /**
   * What a point adds.
   *
   * @param counts null for nothing
   * @param unknownStart values that came before the stream was known, and are not counted
   */
  record Taken(
      @Nullable PointCounts counts,
      Reset reset,
      long unknownStart,
      Runnable commit,
      Runnable drop) {}

  private final Map<StreamId, Stream> streams = new HashMap<>();
  private final HeapClaim claim;
  private long knownSinceNanos;
  private volatile int size;

  /**
   * Knows of no stream.
   *
   * @param claim of the share for OTLP, which has other owners
   * @param sinceMillis streams that start later are new, milliseconds since the epoch
   */
  CumulativeStreams(HeapClaim claim, long sinceMillis) {
    this.claim = claim;
    this.knownSinceNanos = sinceMillis * 1_000_000;
  }

  /** How many are known. Any thread. */
  int size() {
    return size;
  }

  /**
   * What a point adds to what its stream had.
   *
   * @param valuesPerUnit whole numbers of the series for one unit of the sender
   * @throws RejectedPointException when it was overtaken, or there is no memory to remember it
   */
  Taken take(StreamId id, DataPoint point, long valuesPerUnit, long nowMillis)
      throws RejectedPointException {
    Stream before = streams.get(id);
    if (before != null && isOvertaken(before, point)) {
      throw new RejectedPointException(
          NotKeptPoint.OUT_OF_ORDER, "a later point of the stream has come before");
    }
    Stream after = remembered(point, valuesPerUnit, nowMillis);
    long more = after.bytes() - (before == null ? 0 : before.bytes());
    if (more > 0 && !claim.tryGrow(more)) {
      throw new RejectedPointException(
          NotKeptPoint.NO_MEMORY, "there is no memory for another cumulative stream");
    }
    Runnable commit = () -> commit(id, after, more);
    Runnable drop = () -> claim.shrink(Math.max(0, more));
    PointCounts whole = PointCounts.of(point, valuesPerUnit);
    if (before == null) {
      boolean isNew = point.startNanos >= knownSinceNanos;
      return isNew
          ? new Taken(whole, Reset.NONE, 0, commit, drop)
          : new Taken(null, Reset.NONE, point.count, commit, drop);
    }
    if (point.startNanos != before.startNanos && point.startNanos != 0 && before.startNanos != 0) {
      return new Taken(whole, Reset.START_TIME, 0, commit, drop);
    }
    PointCounts difference = difference(before, point, whole);
    if (difference == null) {
      return new Taken(whole, Reset.COUNT, 0, commit, drop);
    }
    after.startNanos = point.startNanos == 0 ? before.startNanos : point.startNanos;
    return new Taken(difference, Reset.NONE, 0, commit, drop);
  }

  private void commit(StreamId id, Stream after, long more) {
    streams.put(id, after);
    claim.shrink(Math.max(0, -more));
    size = streams.size();
  }

  private static boolean isOvertaken(Stream before, DataPoint point) {
    boolean startsEarlier = point.startNanos != 0 && point.startNanos < before.startNanos;
    boolean isEarlier =
        point.timeNanos < before.timeNanos
            && (point.startNanos == 0 || point.startNanos == before.startNanos);
    return startsEarlier || isEarlier;
  }

  private static Stream remembered(DataPoint point, long valuesPerUnit, long nowMillis) {
    Stream stream = new Stream();
    stream.startNanos = point.startNanos;
    stream.timeNanos = point.timeNanos;
    stream.seenMillis = nowMillis;
    stream.min = point.min;
    stream.max = point.max;
    stream.sum = PointCounts.sum(point, valuesPerUnit);
    Base2Buckets positive = point.positive;
    long[] counts = positive == null ? point.counts : positive.counts();
    if (positive != null) {
      stream.scale = positive.scale();
      stream.offset = positive.offset();
    }
    stream.zeroThreshold = point.zeroThreshold;
    stream.zeroCount = point.zeroCount;
    stream.negativeCount = point.negativeCount;
    stream.boundsHash = Arrays.hashCode(point.bounds);
    stream.length = counts.length;
    stream.packed = VarintCounts.pack(counts);
    return stream;
  }

  /** Null where that would be negative, or buckets are others. */
  private static @Nullable PointCounts difference(Stream before, DataPoint point, PointCounts all) {
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
        before.timeNanos,
        all.endNanos(),
        positive,
        zeroCount,
        negativeCount,
        all.bounds(),
        positive == null ? counts : all.counts(),
        sum(before.sum, all.sum()),
        point.min < before.min ? point.min : Double.NaN, // Only an extreme that is new is of now.
        point.max > before.max ? point.max : Double.NaN,
        exemplar != null && exemplar.timeNanos() > before.timeNanos ? exemplar : null);
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

  /**
   * Forgets streams whose sender has gone. Whatever is not known and started before their last
   * point is of an unknown start from now on.
   *
   * @param seenBefore those that were seen last before, milliseconds since the epoch
   * @param nowMillis a sender whose clock is ahead of it is not believed
   */
  void forget(long seenBefore, long nowMillis) {
    for (Iterator<Stream> each = streams.values().iterator(); each.hasNext(); ) {
      Stream stream = each.next();
      if (stream.seenMillis < seenBefore) {
        knownSinceNanos =
            Math.max(knownSinceNanos, Math.min(stream.timeNanos, nowMillis * 1_000_000));
        claim.shrink(stream.bytes());
        each.remove();
      }
    }
    size = streams.size();
  }
}
