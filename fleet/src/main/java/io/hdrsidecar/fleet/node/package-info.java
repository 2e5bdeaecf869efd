/**
 * A node: merges what gateways have produced, each interval once, and answers as a sidecar does.
 *
 * <p>A partition of the topics is one task of Kafka Streams, on one thread of one node. {@code
 * PartitionMerge} adds its intervals up on the heap; the sums go to the stores in the commit that
 * also has the positions in the topics, and to the view, which scrapes and queries read, after it.
 */
@NullMarked
package io.hdrsidecar.fleet.node;

import org.jspecify.annotations.NullMarked;
