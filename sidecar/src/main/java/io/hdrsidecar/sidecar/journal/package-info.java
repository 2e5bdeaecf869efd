/**
 * The journal: merged intervals, written to HdrHistogram interval logs before they are
 * acknowledged, and read back at the next start.
 *
 * <p>Input: each interval as it is merged ({@link io.hdrsidecar.sidecar.merge.IntervalLog}), and at
 * start the files of the runs before. Output: files that any HdrHistogram tool reads, the numbers
 * up to which clients may forget what they sent, and at start the series, windows and sequence
 * numbers as they were.
 *
 * <p>Two threads: the merge context copies an interval into a batch and goes on; one writer thread
 * turns batches into text, writes, flushes, and reports back. {@link
 * io.hdrsidecar.internal.journal.JournalFormat} draws the files, {@code Replay} says why a restart
 * counts everything once.
 */
@NullMarked
package io.hdrsidecar.sidecar.journal;

import org.jspecify.annotations.NullMarked;
