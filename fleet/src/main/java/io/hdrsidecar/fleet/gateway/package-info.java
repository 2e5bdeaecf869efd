/**
 * The gateway: takes the protocol of sidecars, produces each interval to Kafka, and acknowledges it
 * when Kafka has it.
 *
 * <p>It keeps nothing, so any number of gateways stand beside one another and a sidecar may change
 * from one to the other at any moment. The work of a gateway on an interval depends on that
 * interval alone: one that is sent again through another gateway must become the same record.
 */
@NullMarked
package io.hdrsidecar.fleet.gateway;

import org.jspecify.annotations.NullMarked;
