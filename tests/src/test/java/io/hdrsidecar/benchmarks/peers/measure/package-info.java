/** Tests of what the harness reads and computes. */
@NullMarked
package io.hdrsidecar.benchmarks.peers.measure;

import org.jspecify.annotations.NullMarked;
