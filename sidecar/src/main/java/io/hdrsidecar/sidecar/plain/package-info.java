/**
 * Counters and gauges as they are, without distributions: families of {@code /metrics} beside those
 * of series.
 *
 * <p>Input: what comes by StatsD or OTLP and is a single number. Output: a family for each name,
 * and a refusal where the name is another's. The thread that takes such numbers writes, any thread
 * collects.
 */
@NullMarked
package io.hdrsidecar.sidecar.plain;

import org.jspecify.annotations.NullMarked;
