package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.utils.Bytes;

/**
 * From when to when each series of one partition has steps. The partition's thread writes, any
 * thread reads.
 */
final class StepSpans {
  /** Of one series. */
  static final class Span {
    private final FleetSeries series;
    private final byte[] key;
    private volatile long fromMillis;
    private volatile long toMillis;
    private long longTo;

    Span(FleetSeries series, byte[] key, long fromMillis, long toMillis) {
      this.series = series;
      this.key = key;
      this.fromMillis = fromMillis;
      this.toMillis = toMillis;
      this.longTo = fromMillis;
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

    /** Up to when its steps are long. Only its partition's thread. */
    long longTo() {
      return longTo;
    }

    void longTo(long millis) {
      longTo = millis;
    }

    void forgetBefore(long millis) {
      fromMillis = Math.max(fromMillis, millis);
    }
  }

  private final Map<Bytes, Span> spans = new ConcurrentHashMap<>();

  Collection<Span> all() {
    return Collections.unmodifiableCollection(spans.values());
  }

  void cover(FleetSeries series, byte[] key, long fromMillis, long toMillis) {
    Span span =
        spans.computeIfAbsent(Bytes.wrap(key), none -> new Span(series, key, fromMillis, toMillis));
    span.fromMillis = Math.min(span.fromMillis, fromMillis);
    span.toMillis = Math.max(span.toMillis, toMillis);
  }

  void remove(Span span) {
    spans.remove(Bytes.wrap(span.key));
  }
}
