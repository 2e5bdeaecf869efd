/**
 * Sliding windows: what a series recorded in the last minute, kept step by step.
 *
 * <p>Input: the counts of merged intervals and where on the monotonic clock they lie. Output: the
 * running sum of the steps that are still inside the span, exact to the bucket. Windows feed gauges
 * and never touch the cumulative counts. One thread writes; readers follow the series' version (see
 * {@code merge}).
 */
@NullMarked
package io.hdrsidecar.sidecar.window;

import org.jspecify.annotations.NullMarked;
