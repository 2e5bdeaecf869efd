/**
 * Pushes series to systems that do not scrape, by OTLP over HTTP or by Prometheus' remote write
 * 2.0.
 *
 * <p>Input: the counts of series since their start, read as a scrape reads them. Output: requests
 * with a histogram of base-2 buckets for each series to one receiver, cumulative or, by OTLP,
 * delta; counters of requests, of values delivered and of values lost, by reason. One thread of its
 * own reads, sends and waits; what is not delivered stays in its series, and is in the next point.
 * Nothing of this package is loaded where the export is off.
 */
@NullMarked
package io.hdrsidecar.sidecar.export;

import org.jspecify.annotations.NullMarked;
