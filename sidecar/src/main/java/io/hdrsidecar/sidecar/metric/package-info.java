/**
 * The metrics of a stage about itself: a metric is declared where it is counted.
 *
 * <p>Input: counters of a stage. Output: metrics that {@code selfmetrics} puts on the page, so that
 * no stage knows Micrometer.
 */
@NullMarked
package io.hdrsidecar.sidecar.metric;

import org.jspecify.annotations.NullMarked;
