/** Tests of what runs beside applications. */
@NullMarked
package io.hdrsidecar.benchmarks.peers.beside;

import org.jspecify.annotations.NullMarked;
