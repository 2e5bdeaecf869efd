package io.hdrsidecar.sidecar.conformance;

/**
 * An interval that has come, for the first time or again.
 *
 * @param sequence its number
 * @param seriesId of its series on this connection
 * @param bodyBytes length of the body of its frame
 * @param kept what is known of it
 */
record Arrival(long sequence, int seriesId, int bodyBytes, KnownInstance.SeenInterval kept) {}
