/**
 * The conformance kit: a sidecar that misbehaves by script, and the judge of the client that speaks
 * with it.
 *
 * <p>Input: the command that starts a client's program, which reads from its standard input what it
 * is to record ({@link io.hdrsidecar.sidecar.conformance.ClientProgram}). Output: a table of {@link
 * io.hdrsidecar.sidecar.conformance.Law laws} and verdicts. Each {@link
 * io.hdrsidecar.sidecar.conformance.ConformanceCase} has a process of the client, a socket and a
 * thread of its own; {@link io.hdrsidecar.sidecar.conformance.ConnectionCheck} holds every frame
 * against the laws of all connections, and {@link io.hdrsidecar.sidecar.conformance.IntervalLedger}
 * compares what came with what was recorded.
 */
@NullMarked
package io.hdrsidecar.sidecar.conformance;

import org.jspecify.annotations.NullMarked;
