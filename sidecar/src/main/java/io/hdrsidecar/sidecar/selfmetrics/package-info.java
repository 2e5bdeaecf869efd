/**
 * The counters of the sidecar about itself.
 *
 * <p>Input: counters of the other stages, read when a scrape asks. Output: one registry of metrics
 * named {@code hdr_sidecar_*}, those of requests and of the JVM as well, shown on the same page as
 * the series. Nothing here costs anything between scrapes, but for the count and the time of each
 * request.
 */
@NullMarked
package io.hdrsidecar.sidecar.selfmetrics;

import org.jspecify.annotations.NullMarked;
