/**
 * Pauses of the platform (JVM, operating system, machine), measured as jHiccup does: a thread with
 * nothing to do sleeps for a millisecond at a time, and what it oversleeps is what any thread would
 * have been held.
 *
 * <p>Input: a resolution. Output: one hiccup time per sleep, to whatever sink the caller gives;
 * this package knows neither recorders nor sockets.
 */
@NullMarked
package io.hdrsidecar.client.hiccup;

import org.jspecify.annotations.NullMarked;
