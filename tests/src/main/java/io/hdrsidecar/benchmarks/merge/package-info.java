/** The cost of merging an interval, from its bytes to the counts of its series. */
@NullMarked
package io.hdrsidecar.benchmarks.merge;

import org.jspecify.annotations.NullMarked;
