/**
 * The memory of all series together: the limits, what they come to in bytes, and what is left of
 * them; and how what passes them is refused and counted. Nothing here knows a series; {@code merge}
 * tells what it has taken, and gives up what it is told to.
 */
@NullMarked
package io.hdrsidecar.sidecar.limits;

import org.jspecify.annotations.NullMarked;
