package io.hdrsidecar.benchmarks.peers.beside;

/**
 * What a StatsD client says it gave up itself.
 *
 * @param events that found its queue full
 * @param packets of many events each that it could not hand to the kernel
 */
public record ClientLosses(long events, long packets) {}
