package io.hdrsidecar.sidecar.query;

/**
 * What one query about the history may cost.
 *
 * @param maxSteps most steps in time of an answer, 1 or more
 * @param maxCells most numbers in an answer: steps times buckets or percentiles, 1 or more
 * @param maxIntervals most intervals read from the history, 1 or more
 * @param maxCorrections most values added back for coordinated omission, counted before they are
 *     added by their buckets, 1 or more
 */
public record QueryLimits(int maxSteps, int maxCells, int maxIntervals, int maxCorrections) {
  /** Checks the ranges; throws IllegalArgumentException. */
  public QueryLimits {
    if (Math.min(Math.min(maxSteps, maxCells), Math.min(maxIntervals, maxCorrections)) < 1) {
      throw new IllegalArgumentException(
          "limits must be at least 1: "
              + String.join(
                  ", ",
                  "maxSteps " + maxSteps,
                  "maxCells " + maxCells,
                  "maxIntervals " + maxIntervals,
                  "maxCorrections " + maxCorrections));
    }
  }

  /** What {@code serve} uses unless told otherwise. */
  public static QueryLimits defaults() {
    return new QueryLimits(11_000, 500_000, 1_000_000, 10_000_000);
  }
}
