package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.TopicNames;
import org.apache.kafka.common.Uuid;

/**
 * What the partitions of a node share.
 *
 * @param topics that of intervals, and that which describes series
 * @param intervalsId what Kafka knows that of intervals by, apart from its name
 * @param limits what each of them may cost
 * @param memory what they remember of series and instances between commits
 * @param time how their past is cut into steps
 * @param commits tells them of commits
 * @param view what scrapes and queries read
 * @param past where queries find the steps
 * @param counters what they count
 */
record NodeParts(
    TopicNames topics,
    Uuid intervalsId,
    MergeLimits limits,
    KeptMemory memory,
    StepLengths time,
    CommitListener commits,
    FleetView view,
    StepsPast past,
    NodeCounters counters) {}
