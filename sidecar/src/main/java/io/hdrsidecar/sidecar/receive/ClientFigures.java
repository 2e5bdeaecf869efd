package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import java.time.Instant;
import java.util.Map;

/**
 * A client as it is known, and the figures it last said of itself in HEALTH.
 *
 * @param instance the client process
 * @param commonLabels labels that all its series have
 * @param figures names of {@link ClientFigure}, and values; empty before the first HEALTH
 * @param connected whether it has a connection now
 * @param forgottenAt by the wall clock; put off while more is heard
 */
public record ClientFigures(
    InstanceId instance,
    Labels commonLabels,
    Map<String, Long> figures,
    boolean connected,
    Instant forgottenAt) {
  /** Takes a copy of the map. */
  public ClientFigures {
    figures = Map.copyOf(figures);
  }
}
