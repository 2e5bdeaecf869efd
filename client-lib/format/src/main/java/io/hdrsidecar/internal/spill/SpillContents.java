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
 * @param values values in them
 * @param lastMillis when the last of them ended, milliseconds since the epoch; 0 for none
 * @param damaged lines that cannot
 * @param isWhole whether nothing is damaged or missing
 * @param damage what is wrong with the file as a whole, for people; empty if nothing is
 */
public record SpillContents(
    @Nullable InstanceId instance,
    Labels commonLabels,
    long intervals,
    long values,
    long lastMillis,
    long damaged,
    boolean isWhole,
    String damage) {
  /** Of a file of which nothing can be used. */
  public static SpillContents unusable(String damage) {
    return new SpillContents(null, Labels.empty(), 0, 0, 0, 0, false, damage);
  }

  /** How long ago the last interval ended, in seconds; 0 without one. */
  public long ageSeconds(long nowMillis) {
    return lastMillis == 0 ? 0 : Math.max(0, nowMillis - lastMillis) / 1_000;
  }
}
