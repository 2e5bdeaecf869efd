package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a series has counted since the last commit, step by step. One thread at a time. */
final class PendingSeries {
  private final FleetSeries series;
  private final byte[] key;
  private final Map<Long, PendingStep> steps = new LinkedHashMap<>(4);
  private @Nullable PendingStep last;
  private boolean isRemembered;
  private @Nullable SeriesDescription said;

  PendingSeries(FleetSeries series, byte[] key) {
    this.series = series;
    this.key = key;
  }

  FleetSeries series() {
    return series;
  }

  byte[] key() {
    return key;
  }

  boolean isEmpty() {
    return steps.isEmpty();
  }

  /** What its object takes, without counts. */
  long heldBytes() {
    return KeptMemory.bytesOf(series, key);
  }

  /** Whether it stays after the commit, by memory that was taken for it. */
  boolean isRemembered() {
    return isRemembered;
  }

  void remembered() {
    isRemembered = true;
  }

  /** What is said about it, as far as that is remembered. */
  @Nullable SeriesDescription said() {
    return said;
  }

  void said(@Nullable SeriesDescription now) {
    said = now;
  }

  /** The step that begins then: most often the one that was asked for last. */
  PendingStep step(long stepMillis) {
    PendingStep step = last;
    if (step == null || step.stepMillis() != stepMillis) {
      step = steps.computeIfAbsent(stepMillis, PendingStep::new);
      last = step;
    }
    return step;
  }

  /** Gives away the steps that have intervals, the earliest first. */
  List<PendingStep> take() {
    List<PendingStep> taken = new ArrayList<>(steps.values());
    taken.removeIf(step -> step.sum().intervals() == 0); // What came for it had no room.
    taken.sort(Comparator.comparingLong(PendingStep::stepMillis));
    steps.clear();
    last = null;
    return taken;
  }
}
