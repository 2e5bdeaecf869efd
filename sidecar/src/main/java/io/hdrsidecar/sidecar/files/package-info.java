/**
 * Interval logs as series: exact totals in a store as the sidecar has it, and the intervals where
 * they are, in the files.
 *
 * <p>Input: intervals, decoded, and where in a file each stands. Output: a {@link
 * io.hdrsidecar.sidecar.merge.SeriesStore} that answers queries as that of a sidecar does, whose
 * {@link io.hdrsidecar.sidecar.history.PastSource} reads the files again. Memory: the totals, a
 * bounded history of whole intervals, and {@value
 * io.hdrsidecar.sidecar.files.FileLane#BYTES_PER_INTERVAL} bytes for each interval.
 */
@NullMarked
package io.hdrsidecar.sidecar.files;

import org.jspecify.annotations.NullMarked;
