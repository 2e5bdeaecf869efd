package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import java.util.List;

/**
 * What a series has counted before this node took its partition over.
 *
 * @param total since counting began
 * @param recent steps that lie in the windows still
 */
record RestoredSeries(
    FleetSeries series, SeriesDescription description, SeriesSum total, List<Steps.Kept> recent) {}
