/**
 * The cost of one event, from the application to the page that Prometheus scrapes, beside the peers
 * people use today: {@code tests/benchmarks/peers}.
 *
 * <p>Input: peers, rates and numbers of series. Output: tables and plots of processor time, memory,
 * bytes, losses and errors, all of one run.
 */
@NullMarked
package io.hdrsidecar.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
