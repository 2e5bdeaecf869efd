/**
 * Starts processes and looks at them from outside, for benchmarks and for tests: what they print,
 * and what the kernel says of their memory and processor time.
 *
 * <p>Input: commands. Output: lines and numbers.
 */
@NullMarked
package io.hdrsidecar.benchmarks.process;

import org.jspecify.annotations.NullMarked;
