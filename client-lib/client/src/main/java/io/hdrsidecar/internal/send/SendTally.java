package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.wire.ClientFigure;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Counters of the sending thread, and of it alone. */
public final class SendTally {
  private final Map<ClientFigure, Long> counts = new EnumMap<>(ClientFigure.class);
  private final Map<String, Long> lostValues = new TreeMap<>();
  long welcomes;

  /** All 0. */
  public SendTally() {}

  /** One more. */
  public void count(ClientFigure figure) {
    add(figure, 1);
  }

  public void add(ClientFigure figure, long more) {
    counts.merge(figure, more, Long::sum);
  }

  long of(ClientFigure figure) {
    return counts.getOrDefault(figure, 0L);
  }

  void acknowledged(InFlight.EncodedInterval interval) {
    count(ClientFigure.ACKNOWLEDGED_INTERVALS);
    add(ClientFigure.ACKNOWLEDGED_VALUES, interval.values());
  }

  /** Takes over what came of intervals that an earlier client had left. */
  void recovered(SendTally other) {
    add(ClientFigure.RECOVERED_INTERVALS, other.of(ClientFigure.ACKNOWLEDGED_INTERVALS));
    add(ClientFigure.RECOVERED_VALUES, other.of(ClientFigure.ACKNOWLEDGED_VALUES));
    other.lostValues.forEach(this::lost);
  }

  void lost(String reason, long values) {
    lostValues.merge(reason, values, Long::sum);
  }

  /** Says how many values could not be counted so far, as memory was short. */
  void lostForMemory(long values) {
    if (values > 0) {
      lostValues.put("no_memory", values);
    }
  }

  public Map<String, Long> lostValues() {
    return lostValues.isEmpty() ? Map.of() : Map.copyOf(lostValues);
  }

  /** What stands in the counters: every figure, those counted elsewhere as 0. */
  public Map<ClientFigure, Long> counts() {
    Map<ClientFigure, Long> copy = new EnumMap<>(ClientFigure.class);
    for (ClientFigure figure : ClientFigure.values()) {
      copy.put(figure, of(figure));
    }
    copy.put(ClientFigure.RECONNECTS, Math.max(0, welcomes - 1));
    copy.put(
        ClientFigure.LOST_VALUES, lostValues.values().stream().mapToLong(Long::longValue).sum());
    return copy;
  }
}
