/**
 * Values that come by StatsD or DogStatsD, counted here as a client would count them.
 *
 * <p>Input: datagrams over UDP and Unix sockets, and frames over a Unix stream. Output: intervals
 * of series, merged into the store once a second like those of clients, and counters of all that
 * was not kept, by reason. One thread of its own reads the sockets and counts; nothing of this
 * package is loaded where StatsD is off.
 */
@NullMarked
package io.hdrsidecar.sidecar.statsd;

import org.jspecify.annotations.NullMarked;
