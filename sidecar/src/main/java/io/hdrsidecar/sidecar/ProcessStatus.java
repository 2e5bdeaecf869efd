package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.http.StatusSource;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;

/** What {@code /api/v1/status} and {@code /-/ready} tell about this process. */
final class ProcessStatus implements StatusSource {
  private final Instant startedAt = Instant.now();
  private final Supplier<Map<String, String>> settings;
  private volatile boolean ready;

  ProcessStatus(Supplier<Map<String, String>> settings) {
    this.settings = settings;
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
  public Map<String, String> config() {
    return settings.get();
  }

  @Override
  public boolean isReady() {
    return ready;
  }
}
