/**
 * The cost of the journal while merging, and how long a start takes with much in it: programs of
 * their own, run by {@code java -cp benchmarks.jar io.hdrsidecar.benchmarks.journal.<name>}.
 */
@NullMarked
package io.hdrsidecar.benchmarks.journal;

import org.jspecify.annotations.NullMarked;
