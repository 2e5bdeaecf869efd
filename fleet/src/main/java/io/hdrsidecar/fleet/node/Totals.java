package io.hdrsidecar.fleet.node;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What each series of one partition has counted since it began. Not each commit writes the totals
 * of all that have counted: what a commit adds is in its steps in any case, and a total is written
 * about once a minute. Until then it lacks what the steps say it does. Both are in one transaction,
 * so the next node of the partition finds total and steps as of one moment.
 *
 * <p>Each time it is written a total gets a new mark, which is higher than any before it. What a
 * step has under the mark of the total is what the total lacks; what it has under any other, the
 * total has.
 *
 * <p>The value in the store is the mark (int64, big endian), and a sum as {@link SumBytes} has it.
 * One thread.
 */
final class Totals {
  /** How long a total may lack what steps have, in the time of the topic. */
  static final long BEHIND_MILLIS = 60_000;

  /** How far before its mark the first step may begin that a total lacks. */
  private static final long REACH_MILLIS = 60_000;

  private static final int MARK_BYTES = Long.BYTES;

  private final KeyValueStore<Bytes, byte[]> store;
  private final Steps steps;
  private final SumBytes sums;

  /** One, and the mark under which it was written. */
  record Total(long mark, SeriesSum sum) {}

  Totals(KeyValueStore<Bytes, byte[]> store, Steps steps, SumBytes sums) {
    this.store = store;
    this.steps = steps;
    this.sums = sums;
  }

  /** The store, for walks. */
  KeyValueStore<Bytes, byte[]> store() {
    return store;
  }

  /**
   * In the commit: counts a step without writing the total.
   *
   * @return false when the total must be written, as it is not known, or may have no room, or the
   *     step is too old; then nothing is counted
   */
  boolean countLater(PendingSeries series, PendingStep step, long nowMillis) {
    StepSpans.Span span = steps.spans().find(Bytes.wrap(series.key()));
    KnownTotal known = span == null ? null : span.total();
    if (span == null
        || known == null
        || !known.hasRoomFor(step.sum())
        || steps.startOf(step, nowMillis) < known.mark() - REACH_MILLIS) {
      return false;
    }
    byte[] added = steps.addLacked(span, step, known.mark(), nowMillis);
    if (added == null) {
      return false;
    }
    steps.spans().fallBehind(known, added, step.sum().values());
    return true;
  }

  /** What a series has counted, all of it; null when it has no total. */
  @Nullable Total whole(Bytes key) {
    byte[] value = store.get(key);
    if (value == null) {
      return null;
    }
    Total total = read(value);
    KnownTotal known = known(key);
    List<byte[]> lacked = known == null ? null : known.lacked();
    if (lacked == null) {
      addLacked(total, steps.since(key.get(), reach(total)));
    } else {
      lacked.forEach(sum -> total.sum().add(sums.read(sum)));
    }
    return total;
  }

  private @Nullable KnownTotal known(Bytes key) {
    StepSpans.Span span = steps.spans().find(key);
    return span == null ? null : span.total();
  }

  /** In the commit: to the store. Its steps have been added to before. */
  void write(byte[] key, @Nullable Total before, SeriesSum total, long nowMillis) {
    long mark = before == null ? nowMillis : Math.max(nowMillis, before.mark() + 1);
    byte[] bytes = sums.write(total);
    store.put(
        Bytes.wrap(key),
        ByteBuffer.allocate(MARK_BYTES + bytes.length).putLong(mark).put(bytes).array());
    steps.spans().know(Bytes.wrap(key), new KnownTotal(mark, total, false));
  }

  /** In the commit: writes the total of a series that has lacked something for long. */
  void catchUp(StepSpans.Span span, long nowMillis) {
    KnownTotal known = span.total();
    if (known != null
        && known.isBehind()
        && (nowMillis - known.mark() >= BEHIND_MILLIS || steps.isAnyOld(span, nowMillis))) {
      Total total = whole(Bytes.wrap(span.key()));
      if (total != null) {
        write(span.key(), total, total.sum(), nowMillis);
      }
    }
  }

  /** In the commit: whether a series had its last interval before then. */
  boolean isIdle(Bytes key, byte[] value, long beforeMillis) {
    if (SumBytes.lastSeenMillis(value, MARK_BYTES) >= beforeMillis) {
      return false;
    }
    KnownTotal known = known(key);
    Total total = read(value);
    return known == null
        ? !addLacked(total, steps.since(key.get(), reach(total)))
        : !known.isBehind();
  }

  /** In the commit: the series has ended. */
  void end(Bytes key) {
    store.delete(key);
    steps.spans().know(key, null);
  }

  /**
   * At the assignment: what a series has counted, and its steps.
   *
   * @param fromMillis from when on all steps are wanted
   */
  Restored restore(byte[] key, byte[] value, long fromMillis) {
    Total total = read(value);
    List<Steps.Kept> recent = steps.since(key, Math.min(reach(total), fromMillis));
    boolean isBehind = addLacked(total, recent);
    steps.spans().know(Bytes.wrap(key), new KnownTotal(total.mark(), total.sum(), isBehind));
    return new Restored(
        total.sum(), recent.stream().filter(step -> step.startMillis() >= fromMillis).toList());
  }

  /**
   * What the stores have of a series.
   *
   * @param steps those that were wanted
   */
  record Restored(SeriesSum total, List<Steps.Kept> steps) {}

  private Total read(byte[] value) {
    return new Total(
        ByteBuffer.wrap(value).getLong(),
        sums.read(Arrays.copyOfRange(value, MARK_BYTES, value.length)));
  }

  private static long reach(Total total) {
    return Math.max(0, total.mark() - REACH_MILLIS);
  }

  private static boolean addLacked(Total total, List<Steps.Kept> recent) {
    boolean isBehind = false;
    for (Steps.Kept step : recent) {
      SeriesSum lacked = step.value().lackedBy(total.mark());
      if (lacked.intervals() > 0) {
        total.sum().add(lacked);
        isBehind = true;
      }
    }
    return isBehind;
  }
}
