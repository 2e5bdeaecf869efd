/**
 * The cost of recording, harvesting and keeping a series, beside other libraries in the same run.
 *
 * <p>Input: log-normal latencies around 1 ms. Output: the tables of the groups {@code record},
 * {@code series}, {@code virtual}, {@code harvest}, {@code crash} and {@code memory}.
 */
@NullMarked
package io.hdrsidecar.benchmarks.record;

import org.jspecify.annotations.NullMarked;
