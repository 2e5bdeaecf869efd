/**
 * Crash files: the counters of a client in a file that outlives its process.
 *
 * <p>Input: counters that recorders raise, and intervals that are framed from them. Output: a file
 * from which a sidecar, or a later client, takes what the dead process had not delivered, under its
 * own id and numbers. {@link io.hdrsidecar.internal.crash.CrashLayout} draws the file; {@link
 * io.hdrsidecar.internal.crash.CrashFile} writes it, {@link
 * io.hdrsidecar.internal.crash.CrashReader} reads it.
 */
@NullMarked
package io.hdrsidecar.internal.crash;

import org.jspecify.annotations.NullMarked;
