/**
 * The sidecar's own pauses, as the control beside those of the applications it serves.
 *
 * <p>Input: the client library's hiccup meter. Output: two series in the store, merged once a
 * second like any client's, under names of their own. A pause that both sides show is the
 * machine's; one that only the application shows is its own.
 */
@NullMarked
package io.hdrsidecar.sidecar.hiccup;

import org.jspecify.annotations.NullMarked;
