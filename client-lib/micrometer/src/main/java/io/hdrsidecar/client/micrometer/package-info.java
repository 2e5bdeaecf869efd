/**
 * A Micrometer registry that records into this client.
 *
 * <p>Input: what an application records into Micrometer's timers, distribution summaries and long
 * task timers. Output: the same values in {@link io.hdrsidecar.client.LatencyRecorder}s, with tags
 * as labels. Only this package knows Micrometer, which is an optional dependency, and nothing
 * depends on this package.
 */
@NullMarked
package io.hdrsidecar.client.micrometer;

import org.jspecify.annotations.NullMarked;
