/**
 * Pushes series to who has no scraper, by OTLP over HTTP.
 *
 * <p>Input: the counts of series since their start, read as a scrape reads them. Output: requests
 * with an exponential histogram for each series, cumulative or delta, to one receiver, and counters
 * of requests, of values delivered and of values lost, by reason. One thread of its own reads,
 * sends and waits; what is not delivered stays in its series, and is in the next point. Nothing of
 * this package is loaded where the export is off.
 */
@NullMarked
package io.hdrsidecar.sidecar.export;

import org.jspecify.annotations.NullMarked;
