/**
 * Takes frames from clients, over TCP and a Unix socket, and hands their intervals to {@code
 * merge}.
 *
 * <p>Input: bytes that nobody has checked yet. Output: intervals merged once each, and an answer to
 * everything: ACK, or REJECT with a reason. All connections live on one event loop, the merge
 * context, so nothing here needs a lock; what others read are counters with one writer.
 */
@NullMarked
package io.hdrsidecar.sidecar.receive;

import org.jspecify.annotations.NullMarked;
