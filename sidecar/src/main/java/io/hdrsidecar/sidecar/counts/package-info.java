/**
 * Counts of intervals: as they arrive, and packed. One writer or one reader at a time; nothing here
 * knows series.
 */
@NullMarked
package io.hdrsidecar.sidecar.counts;

import org.jspecify.annotations.NullMarked;
