/**
 * How long a message takes on this machine: a byte there and back, which is the least that any
 * transport takes, beside an interval and its acknowledgement, and a value and the page that counts
 * it.
 *
 * <p>Input: a running sidecar, asked as any service and Prometheus ask it. Output: a series of
 * round trips for each {@link io.hdrsidecar.sidecar.transport.TimedRoute}, in that sidecar.
 */
@NullMarked
package io.hdrsidecar.sidecar.transport;

import org.jspecify.annotations.NullMarked;
