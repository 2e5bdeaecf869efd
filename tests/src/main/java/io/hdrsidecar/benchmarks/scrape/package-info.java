/** The cost of a scrape and of the upkeep of windows with many series. */
@NullMarked
package io.hdrsidecar.benchmarks.scrape;

import org.jspecify.annotations.NullMarked;
