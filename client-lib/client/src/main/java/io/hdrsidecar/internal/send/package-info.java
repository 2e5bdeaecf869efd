/**
 * From recorders to the sidecar: sampling on a fixed schedule, intervals that wait, intervals in
 * flight, and the connection.
 *
 * <p>Input: the recorders of {@code client.record}. Output: frames of {@code wire} on a TCP or Unix
 * domain socket. One daemon thread per client does all of it, so no state here is shared: recording
 * threads meet it only in the recorder's counters, and readers only in published figures.
 */
@NullMarked
package io.hdrsidecar.internal.send;

import org.jspecify.annotations.NullMarked;
