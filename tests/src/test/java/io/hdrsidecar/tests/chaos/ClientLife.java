package io.hdrsidecar.tests.chaos;

/**
 * One process of a client, from its start to its end.
 *
 * @param run its label {@code run}, which no other process has: its series are its own
 * @param killed whether it ended by {@code kill -9}
 */
record ClientLife(String run, boolean killed) {}
