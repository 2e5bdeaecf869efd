package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.Shift;
import java.util.Arrays;

/** The steps of an evaluation. */
final class Moments {
  private final long[] times;
  private final long startMillis;
  private final long endMillis;

  /**
   * Some steps.
   *
   * @param times ascending, milliseconds since the epoch; at least one
   * @param startMillis start of what was asked for, of which these may be a part
   * @param endMillis its end
   */
  Moments(long[] times, long startMillis, long endMillis) {
    this.times = times.clone();
    this.startMillis = startMillis;
    this.endMillis = endMillis;
  }

  /** At which times a selector is read. */
  long[] shifted(Shift shift) {
    return Arrays.stream(times).map(time -> shift.apply(time, startMillis, endMillis)).toArray();
  }
}
