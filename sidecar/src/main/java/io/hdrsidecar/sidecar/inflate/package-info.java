/**
 * Inflating short streams faster than zlib does, where many payloads are decoded: at the merge, at
 * the start with a journal, and when files are read.
 *
 * <p>Input: a whole zlib stream in memory. Output: its contents, or that it was not inflated, and
 * then {@link io.hdrsidecar.internal.wire.HistogramDecoder} asks zlib. Clients do without: they
 * decode a payload now and then, and would load this for nothing.
 */
@NullMarked
package io.hdrsidecar.sidecar.inflate;

import org.jspecify.annotations.NullMarked;
