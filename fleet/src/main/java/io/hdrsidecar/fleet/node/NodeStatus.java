package io.hdrsidecar.fleet.node;

import io.hdrsidecar.sidecar.Version;
import io.hdrsidecar.sidecar.api.StatusSource;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import java.time.Instant;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code /api/v1/status} and {@code /-/ready} tell about a node. */
final class NodeStatus implements StatusSource {
  private final Instant startedAt = Instant.now();
  private final Map<String, String> settings;
  private final MemoryBound bound;
  private final BooleanSupplier isMerging;
  private final Restoring restoring;
  private final LongSupplier hiddenSeries;
  private volatile boolean ending;

  NodeStatus(
      Map<String, String> settings,
      MemoryBound bound,
      BooleanSupplier isMerging,
      Restoring restoring,
      LongSupplier hiddenSeries) {
    this.settings = settings;
    this.bound = bound;
    this.isMerging = isMerging;
    this.restoring = restoring;
    this.hiddenSeries = hiddenSeries;
  }

  void ending() {
    ending = true;
  }

  @Override
  public String version() {
    return Version.text();
  }

  @Override
  public Instant startedAt() {
    return startedAt;
  }

  @Override
  public MemoryBound memoryBound() {
    return bound;
  }

  @Override
  public Map<String, String> config() {
    return settings;
  }

  @Override
  public boolean isReady() {
    return !ending && unavailable().isEmpty();
  }

  /** While a partition is restored, or moves, answers would lack it. */
  @Override
  public String unavailable() {
    String progress = restoring.text();
    if (!progress.isEmpty()) {
      return progress;
    }
    return isMerging.getAsBoolean() ? "" : "partitions are being assigned";
  }

  @Override
  public String trouble() {
    long hidden = hiddenSeries.getAsLong();
    return Stream.of(
            unavailable(),
            hidden == 0
                ? ""
                : hidden
                    + " series are not shown: there is no room (series.max, series.max-memory), or"
                    + " another has their name and labels; they are whole in the stores, and the"
                    + " log names some (series_hidden)")
        .filter(sentence -> !sentence.isEmpty())
        .collect(Collectors.joining("; "));
  }
}
