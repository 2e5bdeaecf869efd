/**
 * The application that is measured: one process for each peer and point, the same class with the
 * same values at the same pace, which hands each value to the peer's own client.
 *
 * <p>Input: a peer, a rate, a number of series, and where the peer's other process listens. Output:
 * lines that say how far it is.
 */
@NullMarked
package io.hdrsidecar.benchmarks.peers.application;

import org.jspecify.annotations.NullMarked;
