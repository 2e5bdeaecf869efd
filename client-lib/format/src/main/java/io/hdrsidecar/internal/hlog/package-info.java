/**
 * HdrHistogram's interval log: the text format in which jHiccup and every HdrHistogram port write
 * histograms over time.
 *
 * <p>Input: bytes of a log, in format versions 1.0 to 1.3. Output: one {@link
 * io.hdrsidecar.internal.hlog.IntervalLogLine} per good line, one {@link
 * io.hdrsidecar.internal.hlog.MalformedLogLineException} per bad one, and the way back from counts
 * to lines.
 */
@NullMarked
package io.hdrsidecar.internal.hlog;

import org.jspecify.annotations.NullMarked;
