/**
 * Response time: schedules of intended starts, and the recorder that measures from them.
 *
 * <p>Input: the n-th intended start of a {@link io.hdrsidecar.client.schedule.Schedule}, and the
 * actual start and end of the work. Output: three series of one name, with the label {@code kind}:
 *
 * <pre>
 *   intended start          actual start                        end
 *         |------- wait -------|------------- service ------------|
 *         |-------------------- response -------------------------|
 * </pre>
 *
 * <p>Service time alone leaves out what the callers behind a slow call suffer (coordinated
 * omission). Where there is no intended start there is no response time, and nothing here claims
 * one: see {@link io.hdrsidecar.client.LatencyRecorder#recordWithExpectedInterval} for what can be
 * done then.
 */
@NullMarked
package io.hdrsidecar.client.schedule;

import org.jspecify.annotations.NullMarked;
