package io.hdrsidecar.client;

import io.hdrsidecar.client.send.IntervalSender;
import io.hdrsidecar.interval.Labels;
import io.hdrsidecar.interval.SeriesKey;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The recorders of a client by key, with a limit. Lookups of known keys take no lock; creating and
 * removing is rare and takes one.
 */
final class RecorderRegistry {
  private final int maxSeries;
  private final Labels commonLabels;
  private final IntervalSender sender;
  private final Map<SeriesKey, LatencyRecorder> recorders = new ConcurrentHashMap<>();
  private final Map<OverflowKey, LatencyRecorder> overflow = new HashMap<>();
  private final LongAdder overflowedLookups;

  /** Label sets of one name may differ in configuration, and such values do not share counters. */
  private record OverflowKey(String name, RecorderConfig config) {}

  RecorderRegistry(
      int maxSeries, Labels commonLabels, IntervalSender sender, LongAdder overflowedLookups) {
    this.maxSeries = maxSeries;
    this.commonLabels = commonLabels;
    this.sender = sender;
    this.overflowedLookups = overflowedLookups;
  }

  LatencyRecorder get(SeriesKey key, RecorderConfig config) {
    LatencyRecorder known = recorders.get(key);
    return known == null ? create(key, config) : sameConfig(known, config);
  }

  private static LatencyRecorder sameConfig(LatencyRecorder known, RecorderConfig config) {
    if (!known.config().equals(config)) {
      throw new IllegalArgumentException(
          "series " + known.key() + " exists with " + known.config() + ", not with " + config);
    }
    return known;
  }

  private synchronized LatencyRecorder create(SeriesKey key, RecorderConfig config) {
    LatencyRecorder known = recorders.get(key);
    if (known != null) {
      return sameConfig(known, config);
    }
    key.labels().and(commonLabels); // Refuses labels that contradict the common ones.
    if (recorders.size() >= maxSeries) {
      return overflowFor(key.name(), config);
    }
    LatencyRecorder created = added(new LatencyRecorder(key, config));
    recorders.put(key, created);
    return created;
  }

  private LatencyRecorder overflowFor(String name, RecorderConfig config) {
    overflowedLookups.increment();
    return overflow.computeIfAbsent(
        new OverflowKey(name, config),
        absent ->
            added(
                new LatencyRecorder(
                    new SeriesKey(name, Labels.of(ClientConfig.OVERFLOW_LABEL, "true")), config)));
  }

  private LatencyRecorder added(LatencyRecorder recorder) {
    sender.add(recorder.definition(), recorder.recorder());
    return recorder;
  }

  synchronized boolean remove(LatencyRecorder recorder) {
    boolean removed = recorders.remove(recorder.key(), recorder);
    if (removed) {
      sender.remove(recorder.recorder());
    }
    return removed;
  }

  long overflowedLookups() {
    return overflowedLookups.sum();
  }
}
