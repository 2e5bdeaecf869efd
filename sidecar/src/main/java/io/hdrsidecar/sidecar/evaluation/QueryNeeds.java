package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.Expression;
import io.hdrsidecar.sidecar.promql.Expression.RangeSelector;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.promql.PromqlParser;
import io.hdrsidecar.sidecar.promql.SelectorsWithin;
import io.hdrsidecar.sidecar.promql.Shift;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import java.util.List;

/** What must be known of series to evaluate a query, or to list what there is. */
public final class QueryNeeds {
  private static final SeriesFilter ANY = new SeriesFilter(List.of(), true);

  private QueryNeeds() {}

  /**
   * Of a query that is evaluated from start to end, milliseconds since the epoch.
   *
   * @param scope has windows, of which there are gauges
   * @throws PromqlException when it is none
   */
  public static NeededSeries of(String query, long startMillis, long endMillis, QueryScope scope)
      throws PromqlException {
    Expression parsed = PromqlParser.parse(query);
    List<VectorSelector> selectors = SelectorsWithin.of(parsed);
    if (selectors.isEmpty()) {
      return NeededSeries.NOTHING;
    }
    long longestWindow =
        scope.store().windows().stream()
            .mapToLong(window -> window.span().toMillis())
            .max()
            .orElse(0);
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (Expression each : SelectorsWithin.withRanges(parsed)) {
      boolean isRange = each instanceof RangeSelector;
      long range = each instanceof RangeSelector ranged ? ranged.rangeMillis() : 0;
      Shift shift =
          isRange ? ((RangeSelector) each).selector().shift() : ((VectorSelector) each).shift();
      long first = shift.apply(startMillis, startMillis, endMillis);
      long last = shift.apply(endMillis, startMillis, endMillis);
      from = Math.min(from, Math.min(first, last) - range - longestWindow);
      to = Math.max(to, Math.max(first, last));
    }
    return NeededSeries.of(filters(selectors), NeededSeries.Counts.TOTALS)
        .with(from - SeriesChoice.LOOKBACK_MILLIS, to + 1);
  }

  /**
   * Of a list of what there was from start to end, which is included.
   *
   * @param selectors none for all
   */
  public static NeededSeries ofCatalog(
      List<VectorSelector> selectors, long startMillis, long endMillis) {
    List<SeriesFilter> filters = selectors.isEmpty() ? List.of(ANY) : filters(selectors);
    return NeededSeries.of(filters, NeededSeries.Counts.NAMES)
        .with(startMillis - SeriesChoice.LOOKBACK_MILLIS, endMillis + 1);
  }

  private static List<SeriesFilter> filters(List<VectorSelector> selectors) {
    return selectors.stream()
        .map(selector -> new SeriesFilter(selector.conditions(), true))
        .toList();
  }
}
