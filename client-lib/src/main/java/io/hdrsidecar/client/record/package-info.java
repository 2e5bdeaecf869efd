/**
 * Recording: values in, an exact harvest out.
 *
 * <p>Input: values from any thread. Output: what was recorded since the last harvest, added to an
 * {@link io.hdrsidecar.interval.Accumulation} by the sampler thread.
 */
@NullMarked
package io.hdrsidecar.client.record;

import org.jspecify.annotations.NullMarked;
