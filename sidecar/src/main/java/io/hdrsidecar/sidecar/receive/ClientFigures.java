package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.interval.Labels;
import io.hdrsidecar.wire.InstanceId;
import java.time.Instant;
import java.util.Map;

/**
 * What a client last said of itself in HEALTH.
 *
 * @param instance the client process
 * @param commonLabels labels that all its series have
 * @param figures names matching {@code [a-z][a-z0-9_]*}, and values counted since it started
 * @param receivedAt by the wall clock
 */
public record ClientFigures(
    InstanceId instance, Labels commonLabels, Map<String, Long> figures, Instant receivedAt) {}
