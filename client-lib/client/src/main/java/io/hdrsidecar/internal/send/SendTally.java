package io.hdrsidecar.internal.send;

import java.util.Map;
import java.util.TreeMap;

/** Counters of the sending thread, and of it alone. */
final class SendTally {
  long harvestedValues;
  long joinedIntervals;
  long sentIntervals;
  long resentIntervals;
  long acknowledgedIntervals;
  long acknowledgedValues;
  long welcomes;
  long loopFailures;
  long recoveredIntervals;
  long recoveredValues;
  private final Map<String, Long> lostValues = new TreeMap<>();

  void acknowledged(InFlight.Interval interval) {
    acknowledgedIntervals++;
    acknowledgedValues += interval.values();
  }

  /** Takes over what came of intervals that an earlier client had left. */
  void recovered(SendTally other) {
    recoveredIntervals += other.acknowledgedIntervals;
    recoveredValues += other.acknowledgedValues;
    other.lostValues.forEach(this::lost);
  }

  void lost(String reason, long values) {
    lostValues.merge(reason, values, Long::sum);
  }

  /** Says how many values could not be counted so far for want of memory. */
  void lostForMemory(long values) {
    if (values > 0) {
      lostValues.put("no_memory", values);
    }
  }

  Map<String, Long> lostValues() {
    return lostValues.isEmpty() ? Map.of() : Map.copyOf(lostValues);
  }
}
