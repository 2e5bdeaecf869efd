/**
 * The values that travel: what a series is called, how its buckets lie, and what was counted in
 * them.
 *
 * <p>Input: the recorder's harvest (client) and decoded frames or log lines (sidecar). Output: the
 * same counts, added without loss, for encoding, for windows and for exposition. The types here are
 * shared by both sides, know neither sockets nor threads, and belong to the thread that holds them:
 * mutable ones are written by one thread at a time.
 */
@NullMarked
package io.hdrsidecar.internal.interval;

import org.jspecify.annotations.NullMarked;
