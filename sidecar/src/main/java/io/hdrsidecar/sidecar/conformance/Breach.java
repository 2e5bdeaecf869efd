package io.hdrsidecar.sidecar.conformance;

/**
 * A law that a client broke.
 *
 * @param law which
 * @param expected what it should have done
 * @param came what it did
 * @param where connection, interval, series
 */
record Breach(Law law, String expected, String came, String where) {}
