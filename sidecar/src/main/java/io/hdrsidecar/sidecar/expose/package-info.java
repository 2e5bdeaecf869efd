/**
 * Writes what was counted for Prometheus.
 *
 * <p>Input: the series of the store and the sidecar's own registry. Output: one page in the format
 * the scraper asked for. Cumulative counts become histograms (classic and native), windows become
 * quantiles; nothing is consumed, so any number of scrapers see the same.
 */
@NullMarked
package io.hdrsidecar.sidecar.expose;

import org.jspecify.annotations.NullMarked;
