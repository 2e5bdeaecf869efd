/**
 * A whole fleet on one machine: a broker, gateways, nodes and sidecars, each a process, and clients
 * that remember what they record. Numbers of these go in; the result is a table of the fleet's
 * percentiles beside those of all raw values.
 */
@NullMarked
package io.hdrsidecar.fleet.demo;

import org.jspecify.annotations.NullMarked;
