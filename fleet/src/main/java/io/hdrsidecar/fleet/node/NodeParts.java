package io.hdrsidecar.fleet.node;

import org.apache.kafka.common.Uuid;

/**
 * What the partitions of a node share.
 *
 * @param seriesTopic the topic that describes series; the other one has intervals
 * @param intervalsId what Kafka knows that other one by, apart from its name
 * @param limits what each of them may cost
 * @param memory what they remember of series and instances between commits
 * @param time how their past is cut into steps
 * @param commits tells them of commits
 * @param view what scrapes and queries read
 * @param past where queries find the steps
 * @param counters what they count
 */
record NodeParts(
    String seriesTopic,
    Uuid intervalsId,
    MergeLimits limits,
    KeptMemory memory,
    StepLengths time,
    CommitListener commits,
    FleetView view,
    StepsPast past,
    NodeCounters counters) {}
