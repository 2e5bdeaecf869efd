/**
 * How long a recorded value takes to be seen: from the client's recorder, through its interval, a
 * socket and the merge, to the page that Prometheus scrapes.
 */
@NullMarked
package io.hdrsidecar.benchmarks.freshness;

import org.jspecify.annotations.NullMarked;
