/**
 * Recent intervals of every series as full histograms, in a bounded number of bytes.
 *
 * <p>Input: the counts of merged intervals and when they were recorded, by the wall clock of their
 * clients. Output: the intervals that overlap a range of time, exact to the bucket. When memory is
 * full, neighbours in time are added together: the range stays, the resolution in time falls. One
 * thread writes; readers follow the version of the series (see {@code merge}).
 */
@NullMarked
package io.hdrsidecar.sidecar.history;

import org.jspecify.annotations.NullMarked;
