/**
 * An HTTP service and the load on it, as they would run with a sidecar: what an application does to
 * record its latencies, from start to an end that loses none.
 */
@NullMarked
package io.hdrsidecar.example;

import org.jspecify.annotations.NullMarked;
