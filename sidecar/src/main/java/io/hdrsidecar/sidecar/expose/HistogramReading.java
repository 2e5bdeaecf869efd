package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Distribution;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a page tells of one series' counts since start, in the base unit. Filled anew for each
 * series; one thread at a time.
 */
final class HistogramReading {
  private final Map<Unit, ClassicEdges> edges = new EnumMap<>(Unit.class);
  private final NativeBuckets nativeBuckets;
  private final boolean withNative;
  private ClassicEdges classic;
  private long count;
  private double sum;
  private long createdMillis;

  HistogramReading(ExposeConfig config, boolean withNative) {
    for (Unit unit : Unit.values()) {
      edges.put(unit, new ClassicEdges(config.edges(unit), unit));
    }
    this.nativeBuckets = new NativeBuckets(config.nativeSchema(), config.nativeMaxBuckets());
    this.withNative = withNative;
    this.classic = edgesOf(Unit.NONE);
  }

  private ClassicEdges edgesOf(Unit unit) {
    return Objects.requireNonNull(edges.get(unit), unit::name);
  }

  /** Becomes what was counted for this series. */
  void readFrom(Series series, Distribution distribution) {
    series.readTotal(distribution);
    classic = edgesOf(series.unit());
    classic.readFrom(distribution);
    if (withNative) {
      nativeBuckets.readFrom(distribution, series.unit());
    }
    count = distribution.count();
    sum = series.unit().toBaseUnit(distribution.sum().toDouble());
    createdMillis = series.createdAt().toEpochMilli();
  }

  ClassicEdges classic() {
    return classic;
  }

  /** Only in formats that have them. */
  NativeBuckets nativeBuckets() {
    return nativeBuckets;
  }

  long count() {
    return count;
  }

  double sum() {
    return sum;
  }

  long createdMillis() {
    return createdMillis;
  }
}
