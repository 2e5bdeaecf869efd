/**
 * A sidecar with a small heap under attack: everything at once that takes memory, beside a client
 * that must stay exact.
 *
 * <p>Input: the size of a heap and the kinds of attack. Output: a line with what was held, refused,
 * lost and doubled. A program of its own, see {@link io.hdrsidecar.benchmarks.flood.HeapFlood}.
 */
@NullMarked
package io.hdrsidecar.benchmarks.flood;

import org.jspecify.annotations.NullMarked;
