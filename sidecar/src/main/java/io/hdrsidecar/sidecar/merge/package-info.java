/**
 * Adds intervals to their series: cumulative counts since start, and sliding windows.
 *
 * <p>Input: decoded intervals that {@code receive} (or the HTTP interface for log lines) has
 * checked. Output: {@link io.hdrsidecar.sidecar.reading.Distribution}s, consistent copies of one
 * series' counts, for exposition and queries. One thread, the merge context, writes everything;
 * readers on other threads copy under a sequence lock and retry, so that a scrape never holds up a
 * merge.
 */
@NullMarked
package io.hdrsidecar.sidecar.merge;

import org.jspecify.annotations.NullMarked;
