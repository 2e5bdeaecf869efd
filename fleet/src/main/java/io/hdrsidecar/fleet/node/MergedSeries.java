package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import java.util.List;

/**
 * What one series has counted in a commit.
 *
 * @param description what is said about it; without one of its own, an empty one
 * @param isNew whether it has counted nothing before
 * @param createdMillis when counting began
 * @param steps the earliest first; nobody changes them any more
 */
record MergedSeries(
    FleetSeries series,
    SeriesDescription description,
    boolean isNew,
    long createdMillis,
    List<PendingStep> steps)
    implements CommittedChange {}
