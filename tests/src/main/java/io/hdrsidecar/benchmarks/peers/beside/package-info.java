/**
 * The processes beside the application: the sidecar, statsd_exporter or the Collector, each in a
 * process of its own on loopback, and what counts the bytes that go there.
 *
 * <p>Input: a peer and a number of series. Output: where the application sends to, where to scrape,
 * the process to look at.
 */
@NullMarked
package io.hdrsidecar.benchmarks.peers.beside;

import org.jspecify.annotations.NullMarked;
