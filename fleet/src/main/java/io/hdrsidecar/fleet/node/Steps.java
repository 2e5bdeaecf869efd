package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.util.ArrayList;
import java.util.HashMap;
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
 * enough, and forgets what is too old. One thread, but for {@link #spans}.
 */
final class Steps {
  private final KeyValueStore<Bytes, byte[]> store;
  private final StepLengths time;
  private final SumBytes sums;
  private final StepSpans spans;

  /** Without memory at the assignment there may be steps of which spans do not tell. */
  private boolean areAllKnown = true;

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
        areAllKnown &=
            spans.cover(
                FleetSeries.ofStore(series),
                series,
                StepKey.startMillis(first),
                StepKey.startMillis(latest.key) + StepValue.length(latest.value));
      }
      from = StepKey.of(series, -1); // All ones: behind every step of this series.
    }
  }

  /**
   * In the commit: adds to a step what the total has, too, unless the step is too old.
   *
   * @return false when there is no memory for when the series has steps
   */
  boolean add(FleetSeries series, byte[] key, PendingStep step, long nowMillis) {
    if (isForgotten(step, nowMillis)) {
      return true;
    }
    long length = lengthOf(step, nowMillis);
    long start = startOf(step, nowMillis);
    StepValue value = valueFor(there(key, start), length, step.sum());
    boolean isKept = spans.cover(series, key, start, start + length);
    if (isKept && value != null) {
      value.add(step.sum());
      store.put(StepKey.of(key, start), value.bytes(sums));
    }
    return isKept;
  }

  /**
   * In the commit: adds to a step what the total lacks.
   *
   * @param mark of the total
   * @return the sum that was added, as {@link SumBytes} has it; null when that cannot be, and
   *     nothing is added
   */
  byte @Nullable [] addLacked(StepSpans.Span span, PendingStep step, long mark, long nowMillis) {
    if (isForgotten(step, nowMillis)) {
      return null;
    }
    long length = lengthOf(step, nowMillis);
    long start = startOf(step, nowMillis);
    byte[] added = sums.write(step.sum());
    byte[] there = there(span.key(), start);
    byte[] value;
    if (there == null) {
      value = StepValue.ofLacked(length, mark, added);
    } else {
      StepValue whole = valueFor(there, length, step.sum());
      if (whole == null) {
        return null;
      }
      whole.addLacked(step.sum(), mark);
      value = whole.bytes(sums);
    }
    spans.cover(span.series(), span.key(), start, start + length);
    store.put(StepKey.of(span.key(), start), value);
    return added;
  }

  private boolean isForgotten(PendingStep step, long nowMillis) {
    return step.stepMillis() < time.forgottenBefore(nowMillis);
  }

  private long lengthOf(PendingStep step, long nowMillis) {
    return time.lengthAt(step.stepMillis(), nowMillis);
  }

  /** When the step begins in which this is kept. */
  long startOf(PendingStep step, long nowMillis) {
    return step.stepMillis() - step.stepMillis() % lengthOf(step, nowMillis);
  }

  private byte @Nullable [] there(byte[] key, long start) {
    return hasNoneFrom(key, start) ? null : store.get(StepKey.of(key, start));
  }

  private boolean hasNoneFrom(byte[] key, long millis) {
    StepSpans.Span span = spans.find(Bytes.wrap(key));
    return areAllKnown && (span == null || millis >= span.toMillis());
  }

  /** What is there, or a new one; null when there is no room, as then the total alone has it. */
  private @Nullable StepValue valueFor(byte @Nullable [] there, long length, SeriesSum more) {
    if (there == null) {
      return StepValue.empty(length);
    }
    StepValue value = StepValue.read(there, sums);
    value.lengthen(length);
    return value.hasRoomFor(more) ? value : null;
  }

  /** Whether {@link #age} would change steps of this series. */
  boolean isAnyOld(StepSpans.Span span, long nowMillis) {
    return span.fromMillis() < time.forgottenBefore(nowMillis)
        || isAnyToBecomeLong(span, nowMillis);
  }

  private boolean isAnyToBecomeLong(StepSpans.Span span, long nowMillis) {
    long longBefore = time.longBefore(nowMillis);
    return span.longTo() < longBefore && span.fromMillis() < longBefore;
  }

  /** In the commit, after all was added, and when the total of the series lacks nothing. */
  void age(StepSpans.Span span, long nowMillis) {
    long forgotten = time.forgottenBefore(nowMillis);
    if (span.fromMillis() < forgotten) {
      forget(span, forgotten);
    }
    if (isAnyToBecomeLong(span, nowMillis)) {
      long longBefore = time.longBefore(nowMillis);
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
        if (StepValue.length(step.value) < time.longMillis()) {
          long start = StepKey.startMillis(step.key);
          SeriesSum sum = StepValue.read(step.value, sums).whole();
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
          StepValue whole = valueFor(there, time.longMillis(), sum);
          if (whole != null) {
            whole.add(sum);
            changes.put(place, whole.bytes(sums));
          }
        });
    store.putAll(
        changes.entrySet().stream().map(e -> KeyValue.pair(e.getKey(), e.getValue())).toList());
  }

  private KeyValueIterator<Bytes, byte[]> range(StepSpans.Span span, long from, long before) {
    return store.range(StepKey.of(span.key(), from), StepKey.of(span.key(), before - 1));
  }

  /** A step of a series, and when it begins. */
  record Kept(long startMillis, StepValue value) {
    long endMillis() {
      return startMillis + value.length();
    }
  }

  /** The steps of a series from then on. */
  List<Kept> since(byte[] key, long fromMillis) {
    List<Kept> found = new ArrayList<>();
    if (hasNoneFrom(key, fromMillis)) {
      return found;
    }
    try (KeyValueIterator<Bytes, byte[]> steps =
        store.range(StepKey.of(key, fromMillis), StepKey.of(key, Long.MAX_VALUE))) {
      while (steps.hasNext()) {
        KeyValue<Bytes, byte[]> step = steps.next();
        found.add(new Kept(StepKey.startMillis(step.key), StepValue.read(step.value, sums)));
      }
    }
    return found;
  }
}
