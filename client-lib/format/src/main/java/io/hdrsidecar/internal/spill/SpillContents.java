package io.hdrsidecar.internal.spill;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import org.jspecify.annotations.Nullable;

/**
 * What a spill file has, as read from one end to the other.
 *
 * @param instance whose intervals they are; null if none can be read
 * @param commonLabels of all its series
 * @param intervals intervals that can be read
 * @param damaged lines that cannot
 * @param isWhole whether nothing is damaged or missing
 */
public record SpillContents(
    @Nullable InstanceId instance,
    Labels commonLabels,
    long intervals,
    long damaged,
    boolean isWhole) {}
