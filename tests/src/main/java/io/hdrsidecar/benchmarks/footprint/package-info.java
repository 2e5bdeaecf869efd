/**
 * The load under which memory and processor time of the sidecar and its peers are measured, each in
 * its container: {@code tests/benchmarks/footprint} starts both and reads the kernel's figures.
 */
@NullMarked
package io.hdrsidecar.benchmarks.footprint;

import org.jspecify.annotations.NullMarked;
