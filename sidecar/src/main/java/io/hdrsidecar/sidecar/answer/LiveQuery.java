package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.Percentiles;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.TimeSteps;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/**
 * What {@code GET /api/v1/live} is asked. Equal queries have equal answers.
 *
 * @param series the selector as written
 * @param stepMillis length of a step, 1 s to 1 h
 * @param percentiles asked for, as written: 0 to 100
 * @param buckets most value buckets of a heat map's column; 0 for none
 */
public record LiveQuery(String series, long stepMillis, List<BigDecimal> percentiles, int buckets) {
  static final String DEFAULT_PERCENTILES = "50,90,99,99.9";
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  /** Takes a copy. */
  public LiveQuery {
    percentiles = List.copyOf(percentiles);
  }

  /**
   * Reads the parameters.
   *
   * @throws QueryException naming the first that is wrong
   */
  public static LiveQuery of(Parameters parameters) throws QueryException {
    String series = parameters.require("series");
    Selector.of("series", series);
    String step = parameters.get("step", "1s");
    long stepMillis = TimeSteps.millis(step);
    if (stepMillis < SHORTEST.toMillis() || stepMillis > LONGEST.toMillis()) {
      throw QueryException.badParameter("step", "must be from 1s to 1h: " + step);
    }
    List<BigDecimal> percentiles =
        Percentiles.parse(parameters.get(Percentiles.PARAMETER, DEFAULT_PERCENTILES));
    return new LiveQuery(
        series, stepMillis, percentiles, Integer.parseInt(parameters.get("buckets", "0")));
  }

  /** Start of the step that a moment lies in. */
  public long startOf(long millis) {
    return Math.floorDiv(millis, stepMillis) * stepMillis;
  }
}
