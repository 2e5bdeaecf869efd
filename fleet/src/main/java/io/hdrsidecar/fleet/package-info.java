/**
 * The program of the fleet: gateway and node, between the sidecars and one distribution of them
 * all.
 *
 * <p>A gateway takes the protocol of sidecars and produces to Kafka; nodes merge what is there and
 * answer as a sidecar does. Rooms: {@code topic}, what lies on the topics; {@code gateway}; {@code
 * node}.
 */
@NullMarked
package io.hdrsidecar.fleet;

import org.jspecify.annotations.NullMarked;
