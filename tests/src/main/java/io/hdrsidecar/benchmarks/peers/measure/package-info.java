/**
 * Looks at processes and pages from outside: processor time and memory by the kernel's figures,
 * pages by Prometheus' protobuf, percentiles beside those of the values themselves.
 *
 * <p>Input: processes and pages. Output: numbers.
 */
@NullMarked
package io.hdrsidecar.benchmarks.peers.measure;

import org.jspecify.annotations.NullMarked;
