/**
 * How gateways and nodes reach the brokers, and whether the topics there are those of the fleet.
 *
 * <p>Everything that Kafka's clients can be told is in one file of their own settings; what both
 * programs must agree on is a setting here.
 */
@NullMarked
package io.hdrsidecar.fleet.kafka;

import org.jspecify.annotations.NullMarked;
