/**
 * Indexes over interval logs: where the lines of each series stand, and when their intervals were,
 * so that a query about the past reads what it needs and nothing else.
 *
 * <p>Input: lines as the journal writes them, or files from front to back; no histogram is decoded
 * for it. Output: {@link io.hdrsidecar.sidecar.history.PastSource}s, that is references to
 * intervals in files, which are read and checked when they are added up.
 */
@NullMarked
package io.hdrsidecar.sidecar.index;

import org.jspecify.annotations.NullMarked;
