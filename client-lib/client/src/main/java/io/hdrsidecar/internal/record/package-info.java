/**
 * Recording: a few nanoseconds per value, from any thread, and the harvest of what was recorded.
 *
 * <p>Input: values of one series, from the threads of the application. Output: once an interval,
 * from the sampler thread, the counts with their exact sum, minimum and maximum, added to an {@link
 * io.hdrsidecar.internal.interval.Accumulation}. Knows nothing of time, names or sockets.
 */
@NullMarked
package io.hdrsidecar.internal.record;

import org.jspecify.annotations.NullMarked;
