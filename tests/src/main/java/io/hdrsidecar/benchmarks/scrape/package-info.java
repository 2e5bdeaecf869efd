/** What a scrape and the upkeep of windows cost with many series. */
@NullMarked
package io.hdrsidecar.benchmarks.scrape;

import org.jspecify.annotations.NullMarked;
