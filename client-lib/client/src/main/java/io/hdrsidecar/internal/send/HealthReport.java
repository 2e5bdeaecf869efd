package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.InstanceId;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The client's figures as they travel in HEALTH, and when. What an instance before this one has
 * told is not told again: who adds up instances would count it twice.
 */
public final class HealthReport {
  private static final long MIN_NANOS = 1_000_000_000;
  private static final long MAX_NANOS = 10_000_000_000L;

  private final Supplier<Map<ClientFigure, Long>> more;
  private final long betweenNanos;
  private Map<ClientFigure, Long> toldBefore = Map.of();
  private Map<ClientFigure, Long> told = Map.of();
  private @Nullable InstanceId teller;
  private long next;

  /** The first is due at once. */
  public HealthReport(Supplier<Map<ClientFigure, Long>> more, long intervalNanos, long start) {
    this.more = more;
    this.betweenNanos = Math.max(MIN_NANOS, Math.min(MAX_NANOS, 10 * intervalNanos));
    this.next = start;
  }

  public long next() {
    return next;
  }

  public boolean isDue(long now) {
    return now - next >= 0;
  }

  public void sent(long now) {
    next = now + betweenNanos;
  }

  /** A new instance begins, and its totals at 0. */
  void startOver(SendFigures figures) {
    toldBefore = totals(figures);
    teller = null;
  }

  /**
   * What this instance tells. If it is suddenly another one, its totals begin with what the one
   * before has not told yet.
   */
  public Map<String, Long> of(InstanceId instance, SendFigures figures) {
    if (teller != null && !teller.equals(instance)) {
      toldBefore = told;
    }
    teller = instance;
    told = totals(figures);
    Map<String, Long> health = new LinkedHashMap<>();
    told.forEach(
        (figure, value) ->
            health.put(
                figure.figure(),
                figure.isCounter() ? value - toldBefore.getOrDefault(figure, 0L) : value));
    return health;
  }

  private Map<ClientFigure, Long> totals(SendFigures figures) {
    Map<ClientFigure, Long> totals = new EnumMap<>(figures.counted());
    totals.putAll(more.get());
    return totals;
  }
}
