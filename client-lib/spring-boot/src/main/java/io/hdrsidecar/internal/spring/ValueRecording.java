package io.hdrsidecar.internal.spring;

import io.hdrsidecar.client.LatencyRecorder;
import java.util.function.ObjLongConsumer;

/** How the registry's meters put a value into a recorder. */
@FunctionalInterface
interface ValueRecording extends ObjLongConsumer<LatencyRecorder> {}
