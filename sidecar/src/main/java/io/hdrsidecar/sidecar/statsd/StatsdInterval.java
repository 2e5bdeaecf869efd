package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SeriesDefinition;

/**
 * What a series counted since the last hand-over. Belongs to its taker.
 *
 * @param values not empty
 */
record StatsdInterval(SeriesDefinition definition, Accumulation values) {}
