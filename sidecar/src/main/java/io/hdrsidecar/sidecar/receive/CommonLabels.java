package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.RefusedException;

/** The labels that a client says once, for all of its series. */
final class CommonLabels {
  private CommonLabels() {}

  /**
   * The series with these labels, too.
   *
   * @throws RefusedException when they are too many together, or one is there twice
   */
  static SeriesDefinition addTo(SeriesDefinition definition, Labels commonLabels)
      throws RefusedException {
    try {
      SeriesKey key = definition.key();
      return new SeriesDefinition(
          new SeriesKey(key.name(), key.labels().and(commonLabels)),
          definition.unit(),
          definition.help(),
          definition.layout(),
          definition.highestTrackableValue());
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          RejectReason.BAD_SERIES, "common labels do not fit: " + e.getMessage());
    }
  }
}
