package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.SeriesMixture;

/** What must not be added up, as in the other queries. */
final class Mixtures {
  private Mixtures() {}

  /** Refuses raw values with corrected ones, and several times of the same calls. */
  static void refuse(Sorts sorts) throws QueryException {
    try {
      SeriesMixture.refuse("query", sorts::of);
    } catch (QueryException e) {
      throw QueryException.unsupported(e.message());
    }
  }

  /** Whether what must not be added up is told apart by this label. */
  static boolean isToldBy(String label) {
    return SeriesMixture.LABELS.contains(label);
  }

  /** Refuses values of different units. */
  static void refuse(Unit one, Unit other) throws QueryException {
    if (one != other) {
      throw QueryException.unsupported(
          "query: adds series of different units, "
              + one.symbol()
              + " and "
              + other.symbol()
              + "; select those of one metric");
    }
  }
}
