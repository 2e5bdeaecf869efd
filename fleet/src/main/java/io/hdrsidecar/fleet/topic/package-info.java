/**
 * The records on the topics: keys, values, headers, and which partition a series belongs to.
 *
 * <p>Gateways write it and nodes read it. Both sides of it are here, so that they cannot differ.
 * Whatever is on a topic may have been written by somebody else: reading ends in a value or in a
 * {@link io.hdrsidecar.fleet.topic.MalformedRecordException}.
 */
@NullMarked
package io.hdrsidecar.fleet.topic;

import org.jspecify.annotations.NullMarked;
