/**
 * Spill files: what a client could not deliver before its end, in a folder that a sidecar or a
 * later client looks into.
 *
 * <p>Input: intervals with their sequence numbers. Output: the same, in frames, for the process
 * that picks the file up. {@link io.hdrsidecar.internal.spill.SpillFolder} says why that is done
 * once: a file gets its name when it is whole, is worked on under a {@link
 * io.hdrsidecar.internal.spill.SpillClaim}, and goes when everything in it is settled.
 */
@NullMarked
package io.hdrsidecar.internal.spill;

import org.jspecify.annotations.NullMarked;
