/**
 * A Micrometer registry that records into this client.
 *
 * <p>Input: what an application records into Micrometer's timers, distribution summaries and long
 * task timers. Output: the same values in {@link io.hdrsidecar.client.LatencyRecorder}s, with tags
 * as labels. The client does not know this package, nor Micrometer.
 */
@NullMarked
package io.hdrsidecar.client.micrometer;

import org.jspecify.annotations.NullMarked;
