package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;

/**
 * A series that the client is told to make.
 *
 * @param number by which lines of the program call it
 */
record SeriesPlan(int number, SeriesKey key, Unit unit, long lowest, long highest, int digits) {
  /** {@code series 1 name ns 1 1000 3 route=/pay}. */
  String line() {
    StringBuilder line = new StringBuilder("series ").append(number);
    line.append(' ').append(key.name()).append(' ').append(unit.symbol());
    line.append(' ').append(lowest).append(' ').append(highest).append(' ').append(digits);
    key.labels().forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    return line.toString();
  }

  /** What the series is called that has what a stalled caller could not send. */
  SeriesKey correctedKey() {
    return new SeriesKey(key.name(), key.labels().with("corrected", "expected_interval"));
  }

  /** What a definition should have; empty if it has. */
  String differs(SeriesDefinition declared) {
    boolean isSame =
        declared.unit() == unit
            && declared.layout().equals(BucketLayout.of(lowest, digits))
            && declared.highestTrackableValue() == highest;
    return isSame ? "" : unit + ", " + digits + " digits, " + lowest + " to " + highest;
  }
}
