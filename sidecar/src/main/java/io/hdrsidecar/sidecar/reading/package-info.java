/**
 * The forms in which counts are read: a distribution of buckets, percentiles without one, and the
 * join of many series. Input: the counts of one layout after the other, as {@link
 * io.hdrsidecar.sidecar.reading.CountsReader} is handed them. Nothing here knows series, and
 * nothing is written.
 */
@NullMarked
package io.hdrsidecar.sidecar.reading;

import org.jspecify.annotations.NullMarked;
