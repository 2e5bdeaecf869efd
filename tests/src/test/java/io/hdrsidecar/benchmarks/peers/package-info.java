/** Tests of the peers' harness. */
@NullMarked
package io.hdrsidecar.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
