/**
 * Adds intervals to the counts of their series, and lets others read them.
 *
 * <p>Input: decoded intervals, on one thread. Output: cumulative counts and windows, read from any
 * thread as a {@link io.hdrsidecar.sidecar.merge.Distribution}.
 */
@NullMarked
package io.hdrsidecar.sidecar.merge;

import org.jspecify.annotations.NullMarked;
