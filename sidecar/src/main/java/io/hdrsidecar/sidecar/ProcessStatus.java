package io.hdrsidecar.sidecar;

import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.sidecar.api.StatusSource;
import io.hdrsidecar.sidecar.journal.JournalStatus;
import io.hdrsidecar.sidecar.limits.MemoryState;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.upstream.UpstreamStatus;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of this process that {@code /api/v1/status} and {@code /-/ready} tell. */
final class ProcessStatus implements StatusSource {
  private final Instant startedAt = Instant.now();
  private final Supplier<Map<String, String>> settings;
  private final MemoryBound bound;
  private final Supplier<MemoryState> memory;
  private final Supplier<String> configTrouble;
  private volatile boolean ready;
  private volatile @Nullable Supplier<JournalStatus> journal;
  private volatile @Nullable Supplier<UpstreamStatus> upstream;

  ProcessStatus(
      Supplier<Map<String, String>> settings,
      MemoryBound bound,
      Supplier<MemoryState> memory,
      Supplier<String> configTrouble) {
    this.settings = settings;
    this.bound = bound;
    this.memory = memory;
    this.configTrouble = configTrouble;
  }

  void ready(boolean isReady) {
    ready = isReady;
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
    return settings.get();
  }

  /** Takes the journal's state into account from now on. */
  void watch(Supplier<JournalStatus> source) {
    journal = source;
  }

  /** Shows from now on how handing on is doing; it changes nothing about being ready. */
  void watchUpstream(Supplier<UpstreamStatus> source) {
    upstream = source;
  }

  @Override
  public Map<String, Object> upstream() {
    Supplier<UpstreamStatus> watched = upstream;
    if (watched == null) {
      return Map.of();
    }
    UpstreamStatus now = watched.get();
    return Map.of(
        "address", now.address(),
        "connected", now.connected(),
        "waitingValues", now.waitingValues(),
        "lagSeconds", now.lagSeconds(),
        "acknowledgedValues", now.of(ClientFigure.ACKNOWLEDGED_VALUES),
        "lostValues", now.allLostValues(),
        "problem", now.problem());
  }

  private String upstreamTrouble() {
    Supplier<UpstreamStatus> watched = upstream;
    String problem = watched == null ? "" : watched.get().problem();
    return problem.isEmpty() ? "" : "nothing is handed on: " + problem;
  }

  @Override
  public boolean isReady() {
    Supplier<JournalStatus> watched = journal;
    return ready && (watched == null || watched.get().isReady());
  }

  @Override
  public String trouble() {
    return Stream.of(
            journalTrouble(), memory.get().trouble(), configTrouble.get(), upstreamTrouble())
        .filter(sentence -> !sentence.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private String journalTrouble() {
    Supplier<JournalStatus> watched = journal;
    if (watched == null) {
      return "";
    }
    JournalStatus now = watched.get();
    return switch (now.state()) {
      case WRITING -> "";
      case MEMORY ->
          "journal degraded since "
              + now.since()
              + ", intervals are acknowledged from memory: "
              + now.reason();
      case REFUSING ->
          "journal refusing since " + now.since() + ", nothing is acknowledged: " + now.reason();
    };
  }
}
