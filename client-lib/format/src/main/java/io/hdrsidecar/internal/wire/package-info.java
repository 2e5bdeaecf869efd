/**
 * Values as bytes: the frames between client and sidecar, and the HdrHistogram payload inside.
 *
 * <p>Input: the types of {@code interval}. Output: bytes that PROTOCOL.md draws, and back. Bytes
 * from outside are checked (header, length, CRC-32C, configuration against limits) before memory is
 * taken; whatever is wrong surfaces as a {@link
 * io.hdrsidecar.internal.wire.MalformedFrameException} with a reason and nothing else.
 */
@NullMarked
package io.hdrsidecar.internal.wire;

import org.jspecify.annotations.NullMarked;
