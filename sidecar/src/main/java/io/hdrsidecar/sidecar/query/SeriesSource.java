package io.hdrsidecar.sidecar.query;

/** Where the series of a query come from. Any thread; may block. */
public interface SeriesSource {
  /** The store at hand has all of them. */
  SeriesSource STORE =
      new SeriesSource() {
        @Override
        public <T> T ask(Needing needs, QueryScope scope, Asking<T> query) throws Exception {
          return query.ask(scope);
        }
      };

  /** Says what a query needs, as far as that is not in the store at hand. */
  @FunctionalInterface
  interface Needing {
    /**
     * What it needs.
     *
     * @throws QueryException as the query would: it is wrong
     */
    NeededSeries of(QueryScope scope) throws QueryException;
  }

  /** A query. */
  @FunctionalInterface
  interface Asking<T> {
    /** Answers it from the store of this scope. */
    T ask(QueryScope scope) throws Exception;
  }

  /**
   * Asks a query of a store that has all the series it is about, whole.
   *
   * @param scope the store at hand, and what the query may cost
   * @throws QueryException when it is refused, or the series cannot be had whole at the moment
   */
  <T> T ask(Needing needs, QueryScope scope, Asking<T> query) throws Exception;
}
