/** Tests of what writes results down. */
@NullMarked
package io.hdrsidecar.benchmarks;

import org.jspecify.annotations.NullMarked;
