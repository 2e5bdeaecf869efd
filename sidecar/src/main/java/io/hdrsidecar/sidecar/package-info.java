/**
 * Wiring and life cycle: builds the objects, starts them, and stops them in reverse order.
 *
 * <p>Nothing else depends on this package. A recorded value's way through the others: {@code
 * receive} takes frames from sockets, {@code merge} adds them to their series and windows, {@code
 * expose} and {@code query} read from there.
 */
@NullMarked
package io.hdrsidecar.sidecar;

import org.jspecify.annotations.NullMarked;
