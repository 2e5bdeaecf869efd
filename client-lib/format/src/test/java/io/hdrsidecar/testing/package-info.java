/**
 * What tests of several modules need: programs in JVMs of their own, a heap without room, a file
 * system without room.
 */
@NullMarked
package io.hdrsidecar.testing;

import org.jspecify.annotations.NullMarked;
