package io.hdrsidecar.sidecar.families;

import io.hdrsidecar.series.Unit;

/**
 * What all series of one name share, fixed by the first of them.
 *
 * @param seriesName the name that holds the claim
 * @param unit unit of the values
 * @param help one line for the reader of the metric; may be empty
 * @param names the metric families that are taken
 */
public record FamilyClaim(String seriesName, Unit unit, String help, MetricNames names) {}
