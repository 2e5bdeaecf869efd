package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.merge.SeriesStore;

/**
 * What queries are about, and what one of them may cost.
 *
 * @param store has the series
 * @param maxSeries most series one query may look at
 * @param limits of queries about the history
 */
public record QueryScope(SeriesStore store, int maxSeries, QueryLimits limits) {
  /**
   * Takes references to the intervals of all series that a selector matches; they are read when
   * they are added up.
   *
   * @param parameter that had the selector
   * @throws ApiException when nothing matches, what must not be added up, when there is no history,
   *     or too much of it
   */
  PastCounts past(String parameter, Selector selector, TimeRange range) throws ApiException {
    return PastCounts.of(
        parameter,
        selector,
        selector.select(parameter, store, maxSeries),
        range,
        store,
        maxSeries,
        limits);
  }
}
