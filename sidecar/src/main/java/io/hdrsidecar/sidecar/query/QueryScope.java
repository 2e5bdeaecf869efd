package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.List;

/**
 * What one query is about, and what it may cost.
 *
 * @param store has the series
 * @param maxSeries most series it may look at
 * @param limits as far as it is about the history
 * @param claim to what it reads and answers, taken before it is held; the caller closes it when the
 *     answer was sent
 * @param turn looked at by whatever may take long
 */
public record QueryScope(
    SeriesStore store, int maxSeries, QueryLimits limits, HeapClaim claim, QueryTurn turn) {
  /** For queries that may take what time they like. */
  public QueryScope(SeriesStore store, int maxSeries, QueryLimits limits, HeapClaim claim) {
    this(store, maxSeries, limits, claim, QueryTurn.endless(() -> false));
  }

  /** For queries that may take what memory they like. */
  public QueryScope(SeriesStore store, int maxSeries, QueryLimits limits) {
    this(store, maxSeries, limits, HeapClaim.unbounded());
  }

  /** The same for one query with a claim of its own. */
  public QueryScope with(HeapClaim own) {
    return with(own, turn);
  }

  /** The same for one query with a claim and a turn of its own. */
  public QueryScope with(HeapClaim own, QueryTurn ownTurn) {
    return new QueryScope(store, maxSeries, limits, own, ownTurn);
  }

  /** The same about the series of another store. */
  public QueryScope with(SeriesStore other) {
    return new QueryScope(other, maxSeries, limits, claim, turn);
  }

  /** The living series that a selector chooses. */
  public List<Series> select(String parameter, Selector selector) throws QueryException {
    return selector.select(parameter, store, maxSeries, claim);
  }

  /**
   * Takes references to the intervals of all series that a selector matches; they are read when
   * they are added up.
   *
   * @param parameter that had the selector
   * @throws QueryException when nothing matches, what must not be added up, when there is no
   *     history, or too much of it
   */
  public PastCounts past(String parameter, Selector selector, TimeRange range)
      throws QueryException {
    return PastCounts.of(parameter, selector, select(parameter, selector), range, this);
  }
}
