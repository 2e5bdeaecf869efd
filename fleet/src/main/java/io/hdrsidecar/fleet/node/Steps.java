package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The past of the series of one partition, in steps of time. Each commit adds to the steps of what
 * was merged, looks at some of the series, adds their short steps up to long ones when they are old
 * enough, and forgets what is too old.
 *
 * <p>The value of a step is its length in milliseconds (int32), and a sum as {@link SumBytes} has
 * it. One thread, but for {@link #spans}.
 */
final class Steps {
  private static final int LENGTH_BYTES = Integer.BYTES;

  private final KeyValueStore<Bytes, byte[]> store;
  private final StepLengths time;
  private final SumBytes sums;
  private final StepSpans spans;
  private Iterator<StepSpans.Span> walk = List.<StepSpans.Span>of().iterator();

  Steps(KeyValueStore<Bytes, byte[]> store, StepLengths time, SumBytes sums, HeapShare share) {
    this.spans = new StepSpans(share);
    this.store = store;
    this.time = time;
    this.sums = sums;
  }

  /** From when to when there are any. */
  StepSpans spans() {
    return spans;
  }

  /** At the assignment: finds out what there is, by a few looks for each series. */
  void open() {
    Bytes from = null;
    while (true) {
      Bytes first;
      try (KeyValueIterator<Bytes, byte[]> next = store.range(from, null)) {
        if (!next.hasNext()) {
          return;
        }
        first = next.peekNextKey();
      }
      byte[] series = StepKey.series(first);
      Bytes last = StepKey.of(series, Long.MAX_VALUE);
      try (KeyValueIterator<Bytes, byte[]> down = store.reverseRange(first, last)) {
        KeyValue<Bytes, byte[]> latest = down.next();
        spans.cover(
            FleetSeries.ofStore(series),
            series,
            StepKey.startMillis(first),
            StepKey.startMillis(latest.key) + length(latest.value));
      }
      from = StepKey.of(series, -1); // All ones: behind every step of this series.
    }
  }

  /**
   * In the commit: adds to a step, unless it is too old.
   *
   * @return false when there is no memory for when the series has steps
   */
  boolean add(FleetSeries series, byte[] key, PendingStep step, long nowMillis) {
    if (step.stepMillis() < time.forgottenBefore(nowMillis)) {
      return true;
    }
    long length = time.lengthAt(step.stepMillis(), nowMillis);
    long start = step.stepMillis() - step.stepMillis() % length;
    boolean isKept = spans.cover(series, key, start, start + length);
    if (isKept) {
      put(key, start, length, step.sum());
    }
    return isKept;
  }

  private void put(byte[] key, long start, long length, SeriesSum added) {
    Bytes place = StepKey.of(key, start);
    byte[] sum = with(store.get(place), length, added);
    if (sum != null) {
      store.put(place, sum);
    }
  }

  /** What was there, and this; null when there is no room, as then the total alone has it. */
  private byte @Nullable [] with(byte @Nullable [] before, long length, SeriesSum added) {
    if (before == null) {
      return value(length, added);
    }
    SeriesSum sum = sum(before);
    if (!sum.hasRoomFor(added, Byte.MAX_VALUE)) {
      return null;
    }
    sum.add(added);
    return value(Math.max(length, length(before)), sum);
  }

  private byte[] value(long length, SeriesSum sum) {
    byte[] bytes = sums.write(sum);
    return ByteBuffer.allocate(LENGTH_BYTES + bytes.length).putInt((int) length).put(bytes).array();
  }

  static long length(byte[] value) {
    return ByteBuffer.wrap(value).getInt();
  }

  private SeriesSum sum(byte[] value) {
    return sum(value, sums);
  }

  static SeriesSum sum(byte[] value, SumBytes with) {
    byte[] bytes = new byte[value.length - LENGTH_BYTES];
    System.arraycopy(value, LENGTH_BYTES, bytes, 0, bytes.length);
    return with.read(bytes);
  }

  /** In the commit, after all was added: some more series. */
  void age(Upkeep upkeep, long nowMillis) {
    while (upkeep.next()) {
      if (!walk.hasNext()) {
        walk = spans.all().iterator();
        if (!walk.hasNext()) {
          return;
        }
      }
      age(walk.next(), nowMillis);
    }
  }

  private void age(StepSpans.Span span, long nowMillis) {
    long forgotten = time.forgottenBefore(nowMillis);
    if (span.fromMillis() < forgotten) {
      forget(span, forgotten);
    }
    long longBefore = time.longBefore(nowMillis);
    if (span.longTo() < longBefore && span.fromMillis() < longBefore) {
      addUp(span, longBefore);
      span.longTo(longBefore);
    }
  }

  private void forget(StepSpans.Span span, long before) {
    List<Bytes> old = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> steps = range(span, 0, before)) {
      while (steps.hasNext()) {
        old.add(steps.next().key);
      }
    }
    old.forEach(store::delete);
    span.forgetBefore(before);
    if (span.toMillis() <= before) {
      spans.remove(span);
    }
  }

  /**
   * Short steps become long ones: each is added to the one that it lies in, and deleted. All of it
   * is one write, as somebody may read them meanwhile, who must find each count once.
   *
   * <p>Where nobody knows how far that was done, as after an assignment, it begins at the latest
   * step and ends at the first long one: what is before it was added up by the node that had the
   * partition, and is most of the past.
   */
  private void addUp(StepSpans.Span span, long before) {
    TreeMap<Long, SeriesSum> longOnes = new TreeMap<>();
    Map<Bytes, byte @Nullable []> changes = new HashMap<>();
    long from = Math.max(0, span.longTo());
    try (KeyValueIterator<Bytes, byte[]> steps =
        store.reverseRange(StepKey.of(span.key(), from), StepKey.of(span.key(), before - 1))) {
      while (steps.hasNext()) {
        KeyValue<Bytes, byte[]> step = steps.next();
        if (length(step.value) < time.longMillis()) {
          long start = StepKey.startMillis(step.key);
          SeriesSum sum = sum(step.value);
          SeriesSum into =
              longOnes.computeIfAbsent(start - start % time.longMillis(), s -> new SeriesSum());
          if (into.hasRoomFor(sum, Byte.MAX_VALUE)) {
            into.add(sum);
            changes.put(step.key, null);
          }
        } else if (span.isNotKnown()) {
          break;
        }
      }
    }
    longOnes.forEach(
        (start, sum) -> {
          Bytes place = StepKey.of(span.key(), start);
          byte[] there = changes.containsKey(place) ? null : store.get(place);
          byte[] whole = with(there, time.longMillis(), sum);
          if (whole != null) {
            changes.put(place, whole);
          }
        });
    store.putAll(
        changes.entrySet().stream().map(e -> KeyValue.pair(e.getKey(), e.getValue())).toList());
  }

  private KeyValueIterator<Bytes, byte[]> range(StepSpans.Span span, long from, long before) {
    return store.range(StepKey.of(span.key(), from), StepKey.of(span.key(), before - 1));
  }

  /** The steps of a series from then on, for the windows of the view. */
  List<RestoredSeries.RecentStep> since(byte[] key, long fromMillis) {
    List<RestoredSeries.RecentStep> found = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> steps =
        store.range(StepKey.of(key, fromMillis), StepKey.of(key, Long.MAX_VALUE))) {
      while (steps.hasNext()) {
        KeyValue<Bytes, byte[]> step = steps.next();
        long start = StepKey.startMillis(step.key);
        found.add(
            new RestoredSeries.RecentStep(start, start + length(step.value), sum(step.value)));
      }
    }
    return found;
  }
}
