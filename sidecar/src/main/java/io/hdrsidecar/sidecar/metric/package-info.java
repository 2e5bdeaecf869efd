/**
 * The metrics of a process about itself: a metric is declared where it is counted.
 *
 * <p>Input: counters of a stage. Output: metrics as the Prometheus client's snapshots, for the page
 * that {@code expose} writes.
 */
@NullMarked
package io.hdrsidecar.sidecar.metric;

import org.jspecify.annotations.NullMarked;
