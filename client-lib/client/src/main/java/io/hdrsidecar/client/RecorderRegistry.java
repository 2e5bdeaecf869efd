package io.hdrsidecar.client;

import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.series.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The recorders of a client by key, with a limit. Lookups of known keys take no lock; creating and
 * removing is rare and takes one.
 */
final class RecorderRegistry {
  private final int maxSeries;
  private final Labels commonLabels;
  private final Sampling sampling;
  private final Map<SeriesKey, LatencyRecorder> recorders = new ConcurrentHashMap<>();
  private final Map<OverflowKey, LatencyRecorder> overflow = new HashMap<>();

  /** Label sets of one name may differ in configuration, and such values do not share counters. */
  private record OverflowKey(SeriesKey key, RecorderConfig config) {}

  RecorderRegistry(int maxSeries, Labels commonLabels, Sampling sampling) {
    this.maxSeries = maxSeries;
    this.commonLabels = commonLabels;
    this.sampling = sampling;
  }

  LatencyRecorder get(SeriesKey key, RecorderConfig config) {
    return get(key, key.name(), config);
  }

  /** The recorder of a key whose corrected series has a name of its own. */
  LatencyRecorder get(SeriesKey key, String correctedName, RecorderConfig config) {
    LatencyRecorder known = recorders.get(key);
    return known == null ? create(key, correctedName, config) : sameConfig(known, config);
  }

  private static LatencyRecorder sameConfig(LatencyRecorder known, RecorderConfig config) {
    if (!known.config().equals(config)) {
      throw new IllegalArgumentException(
          "series " + known.key() + " exists with " + known.config() + ", not with " + config);
    }
    return known;
  }

  private synchronized LatencyRecorder create(
      SeriesKey key, String correctedName, RecorderConfig config) {
    LatencyRecorder known = recorders.get(key);
    if (known != null) {
      return sameConfig(known, config);
    }
    Labels all = key.labels().and(commonLabels); // Refuses labels that contradict the common ones.
    CorrectedSeries.refuseLabelsOf(key, all);
    if (recorders.size() >= maxSeries) {
      return overflowFor(key, config);
    }
    LatencyRecorder created = newRecorder(key, correctedName, config);
    recorders.put(key, created);
    return created;
  }

  private LatencyRecorder overflowFor(SeriesKey key, RecorderConfig config) {
    sampling.tally().of(ClientFigure.OVERFLOWED_LOOKUPS).increment();
    SeriesKey shared = new SeriesKey(key.name(), OverflowLabels.of(key.labels()));
    return overflow.computeIfAbsent(
        new OverflowKey(shared, config), absent -> newRecorder(shared, key.name(), config));
  }

  private LatencyRecorder newRecorder(SeriesKey key, String correctedName, RecorderConfig config) {
    return new LatencyRecorder(
        key, CorrectedSeries.keyOf(correctedName, key.labels()), config, sampling);
  }

  synchronized boolean remove(LatencyRecorder recorder) {
    boolean removed = recorders.remove(recorder.key(), recorder);
    if (removed) {
      recorder.stopSampling();
    }
    return removed;
  }
}
