package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.QueryException;
import java.util.Locale;

/**
 * The steps of a range query: its start, and every step from there up to its end.
 *
 * @param startMillis milliseconds since the epoch
 * @param endMillis likewise; not before the start
 * @param stepMillis 1 or more
 */
public record StepRange(long startMillis, long endMillis, long stepMillis) {
  /**
   * Refuses more steps than may be, with Prometheus' words.
   *
   * @throws QueryException naming the limit
   */
  public StepRange within(int maxSteps) throws QueryException {
    if ((endMillis - startMillis) / stepMillis > maxSteps) {
      throw QueryException.badParameter(
          String.format(
              Locale.ROOT,
              "exceeded maximum resolution of %,d points per timeseries. Try decreasing the query"
                  + " resolution (?step=XX)",
              maxSteps));
    }
    return this;
  }

  long[] times() {
    int count = (int) ((endMillis - startMillis) / stepMillis) + 1;
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = startMillis + i * stepMillis;
    }
    return times;
  }
}
