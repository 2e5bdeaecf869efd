/**
 * Damaged and hostile input, for as long as one likes: {@code -Dhdr.fuzz.seconds=600}. Everything
 * gives a result or a refusal, memory and file handles stay flat, and counts stay exact.
 */
@NullMarked
package io.hdrsidecar.tests.fuzz;

import org.jspecify.annotations.NullMarked;
