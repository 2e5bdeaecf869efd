package io.hdrsidecar.fleet.node;

/**
 * What the partitions of a node share.
 *
 * @param seriesTopic the topic that describes series; the other one has intervals
 * @param limits what each of them may cost
 * @param time how their past is cut into steps
 * @param commits tells them of commits
 * @param view what scrapes and questions read
 * @param past where questions find the steps
 * @param counters what they count
 */
record NodeParts(
    String seriesTopic,
    MergeLimits limits,
    StepTime time,
    CommitListener commits,
    FleetView view,
    StepsPast past,
    NodeCounters counters) {}
