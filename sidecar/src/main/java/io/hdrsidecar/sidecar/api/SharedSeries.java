package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesSource;
import java.io.InputStream;

/**
 * Series of which this process has some and others the rest, each series whole. Its server asks the
 * others what a query needs, and tells them what it has itself. Any thread; both may block.
 */
public interface SharedSeries extends SeriesSource {
  /** Where the others ask. */
  String PATH = "/-/peers";

  /**
   * Tells another one what is here. It asks nobody else.
   *
   * @param query as the other sent it
   * @param scope the store at hand, and what the answer may cost
   * @throws QueryException when it is no query, or nothing whole can be told at the moment
   */
  Answer tell(InputStream query, QueryScope scope) throws QueryException;
}
