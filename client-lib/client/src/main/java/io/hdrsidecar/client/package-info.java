/**
 * The types that an application imports: {@link io.hdrsidecar.client.HdrSidecarClient}, {@link
 * io.hdrsidecar.client.LatencyRecorder} and their configuration.
 *
 * <p>Input: values, from any thread. Output: one recorder per series, handed to {@code
 * client.send}, which samples and delivers. Nothing here touches a socket; nothing on the recording
 * path throws, blocks or logs.
 */
@NullMarked
package io.hdrsidecar.client;

import org.jspecify.annotations.NullMarked;
