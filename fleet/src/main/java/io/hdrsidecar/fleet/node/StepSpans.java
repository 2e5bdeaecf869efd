package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * From when to when each series of one partition has steps. The partition's thread writes, any
 * thread reads.
 */
final class StepSpans {
  /** Before anybody has looked which steps of a series are long. */
  private static final long NOT_KNOWN = Long.MIN_VALUE;

  /** Of one series. */
  static final class Span {
    private final FleetSeries series;
    private final byte[] key;
    private volatile long fromMillis;
    private volatile long toMillis;
    private long longTo = NOT_KNOWN;
    private @Nullable KnownTotal total;

    Span(FleetSeries series, byte[] key, long fromMillis, long toMillis) {
      this.series = series;
      this.key = key;
      this.fromMillis = fromMillis;
      this.toMillis = toMillis;
    }

    FleetSeries series() {
      return series;
    }

    byte[] key() {
      return key;
    }

    /** Start of the first step. */
    long fromMillis() {
      return fromMillis;
    }

    /** End of the last step. */
    long toMillis() {
      return toMillis;
    }

    /** Up to when its steps are long; before all times if that {@link #isNotKnown}. */
    long longTo() {
      return longTo;
    }

    /** Whether nobody has said up to when its steps are long. Only its partition's thread. */
    boolean isNotKnown() {
      return longTo == NOT_KNOWN;
    }

    void longTo(long millis) {
      longTo = millis;
    }

    /** What is known of the total of the series; null when it has none. Only that thread. */
    @Nullable KnownTotal total() {
      return total;
    }

    void forgetBefore(long millis) {
      fromMillis = Math.max(fromMillis, millis);
    }
  }

  private final Map<Bytes, Span> spans = new ConcurrentHashMap<>();
  private Iterator<Span> walk = List.<Span>of().iterator();
  private final HeapShare share;

  StepSpans(HeapShare share) {
    this.share = share;
  }

  Collection<Span> all() {
    return Collections.unmodifiableCollection(spans.values());
  }

  /** In the commit: looks at some more of them; after the last one it begins anew. */
  void walk(Upkeep upkeep, Consumer<Span> look) {
    while (upkeep.next()) {
      if (!walk.hasNext()) {
        walk = spans.values().iterator();
        if (!walk.hasNext()) {
          return;
        }
      }
      look.accept(walk.next());
    }
  }

  /** That of a series; null when there is none. */
  @Nullable Span find(Bytes key) {
    return spans.get(key);
  }

  /** Whether there is memory for it. */
  boolean cover(FleetSeries series, byte[] key, long fromMillis, long toMillis) {
    Span span = spans.get(Bytes.wrap(key));
    if (span == null) {
      if (!share.tryTake(KeptMemory.bytesOf(series, key))) {
        return false;
      }
      span = new Span(series, key, fromMillis, toMillis);
      spans.put(Bytes.wrap(key), span);
    }
    span.fromMillis = Math.min(span.fromMillis, fromMillis);
    span.toMillis = Math.max(span.toMillis, toMillis);
    return true;
  }

  /** In the commit: the series has counted something. */
  void fallBehind(KnownTotal total, byte[] sum, long values) {
    total.fallBehind(sum, values, share);
  }

  /** From now on this is known of the total of a series, if it has steps; null for nothing. */
  void know(Bytes key, @Nullable KnownTotal total) {
    Span span = spans.get(key);
    if (span != null) {
      know(span, total);
    }
  }

  private void know(Span span, @Nullable KnownTotal total) {
    if (span.total != null) {
      span.total.forget(share);
    }
    span.total = total;
  }

  void remove(Span span) {
    if (spans.remove(Bytes.wrap(span.key), span)) {
      know(span, null);
      share.release(KeptMemory.bytesOf(span.series, span.key));
    }
  }

  /** Gives its memory back. */
  void close() {
    spans.values().forEach(this::remove);
  }
}
