package io.hdrsidecar.internal.spring;

import io.hdrsidecar.client.ClientHealth;
import io.hdrsidecar.client.HdrSidecarClient;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The client's own figures, at {@code /actuator/hdrsidecar}. */
@Endpoint(id = "hdrsidecar")
public class HdrSidecarEndpoint {
  private final HdrSidecarClient client;

  HdrSidecarEndpoint(HdrSidecarClient client) {
    this.client = client;
  }

  /** Each figure of {@link ClientHealth} by its name. */
  @ReadOperation
  public Map<String, Object> health() {
    ClientHealth health = client.health();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("connected", health.connected());
    figures.put("series", health.series());
    figures.put("pendingIntervals", health.pendingIntervals());
    figures.put("inFlightIntervals", health.inFlightIntervals());
    figures.put("harvestedValues", health.harvestedValues());
    figures.put("sentIntervals", health.sentIntervals());
    figures.put("acknowledgedIntervals", health.acknowledgedIntervals());
    figures.put("acknowledgedValues", health.acknowledgedValues());
    figures.put("resentIntervals", health.resentIntervals());
    figures.put("joinedIntervals", health.joinedIntervals());
    figures.put("reconnects", health.reconnects());
    figures.put("lostValues", health.lostValues());
    figures.put("clampedNegative", health.clampedNegative());
    figures.put("clampedTooLarge", health.clampedTooLarge());
    figures.put("overflowedLookups", health.overflowedLookups());
    figures.put("loopFailures", health.loopFailures());
    figures.put("discardedValues", health.discardedValues());
    figures.put("lostBackFill", health.lostBackFill());
    figures.put("unprotectedValues", health.unprotectedValues());
    figures.put("spilledIntervals", health.spilledIntervals());
    figures.put("spilledValues", health.spilledValues());
    figures.put("recoveredIntervals", health.recoveredIntervals());
    figures.put("recoveredValues", health.recoveredValues());
    return figures;
  }
}
