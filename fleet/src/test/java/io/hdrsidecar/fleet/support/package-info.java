/** What tests of the fleet have in common: real brokers, and ways to them that can be cut. */
@NullMarked
package io.hdrsidecar.fleet.support;

import org.jspecify.annotations.NullMarked;
