package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.memory.HeapClaim;
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
  /** What is remembered of a stream: its last point. */
  abstract static class Stream {
    private long startNanos;
    private final long timeNanos;
    private long seenMillis;

    /** Of a point with these times, since the epoch; a start of 0 where it does not say. */
    Stream(long startNanos, long timeNanos) {
      this.startNanos = startNanos;
      this.timeNanos = timeNanos;
    }

    /** When the point was measured, nanoseconds since the epoch. */
    final long timeNanos() {
      return timeNanos;
    }

    /** What it takes with its place among the others. */
    abstract long bytes();
  }

  /**
   * A cumulative point.
   *
   * @param <T> what it says, and what is added
   */
  interface StreamPoint<T> {
    /** What is to be remembered of it. */
    Stream remembered();

    /** All that it says. */
    T whole();

    /**
     * What it says beyond the one before in its stream; null where that would be negative, or
     * cannot be told.
     *
     * @param before of the same kind
     */
    @Nullable T since(Stream before);

    /** How many values it has. */
    long values();
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
   * @param added null for nothing
   * @param unknownStart values that came before the stream was known, and are not counted
   */
  record Taken<T>(
      @Nullable T added, Reset reset, long unknownStart, Runnable commit, Runnable drop) {}

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
   * @throws RejectedPointException when it was overtaken, or there is no memory to remember it
   */
  <T> Taken<T> take(StreamId id, StreamPoint<T> point, long nowMillis)
      throws RejectedPointException {
    Stream before = streams.get(id);
    Stream after = point.remembered();
    if (before != null && isOvertaken(before, after)) {
      throw new RejectedPointException(
          NotKeptPoint.OUT_OF_ORDER, "a later point of the stream has come before");
    }
    after.seenMillis = nowMillis;
    long more = after.bytes() - (before == null ? 0 : before.bytes());
    if (more > 0 && !claim.tryGrow(more)) {
      throw new RejectedPointException(
          NotKeptPoint.NO_MEMORY, "there is no memory for another cumulative stream");
    }
    Runnable commit = () -> commit(id, after, more);
    Runnable drop = () -> claim.shrink(Math.max(0, more));
    if (before == null) {
      boolean isNew = after.startNanos >= knownSinceNanos;
      return isNew
          ? new Taken<>(point.whole(), Reset.NONE, 0, commit, drop)
          : new Taken<>(null, Reset.NONE, point.values(), commit, drop);
    }
    if (after.startNanos != before.startNanos && after.startNanos != 0 && before.startNanos != 0) {
      return new Taken<>(point.whole(), Reset.START_TIME, 0, commit, drop);
    }
    T difference = point.since(before);
    if (difference == null) {
      return new Taken<>(point.whole(), Reset.COUNT, 0, commit, drop);
    }
    after.startNanos = after.startNanos == 0 ? before.startNanos : after.startNanos;
    return new Taken<>(difference, Reset.NONE, 0, commit, drop);
  }

  private void commit(StreamId id, Stream after, long more) {
    streams.put(id, after);
    claim.shrink(Math.max(0, -more));
    size = streams.size();
  }

  private static boolean isOvertaken(Stream before, Stream point) {
    boolean startsEarlier = point.startNanos != 0 && point.startNanos < before.startNanos;
    boolean isEarlier =
        point.timeNanos < before.timeNanos
            && (point.startNanos == 0 || point.startNanos == before.startNanos);
    return startsEarlier || isEarlier;
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
