package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.TimeRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code GET /api/v1/sla} is asked.
 *
 * @param name of the one rule wanted; null for all
 * @param adHoc a rule made for this query, in place of those in force; or null
 * @param startMillis start of the past range, milliseconds since the epoch
 * @param endMillis its end, excluded; after the start
 */
public record SlaQuery(
    @Nullable String name, @Nullable SlaRule adHoc, long startMillis, long endMillis) {
  private static final String AD_HOC = "ad-hoc";

  /**
   * Reads the parameters: {@code sla=NAME}, or {@code selector=...} with {@code
   * limit=99.9%:500ms,100%:2s}; {@code start} and {@code end} as in {@link TimeRange#of}.
   *
   * @throws QueryException naming the first that is wrong
   */
  public static SlaQuery of(Parameters parameters, Instant now) throws QueryException {
    TimeRange range = TimeRange.of(parameters, now);
    String selector = parameters.get("selector", "");
    String limit = parameters.get("limit", "");
    String name = parameters.get("sla", "");
    if (selector.isEmpty() && !limit.isEmpty()) {
      throw QueryException.badParameter("selector", "required with limit, but missing");
    }
    if (!selector.isEmpty() && !name.isEmpty()) {
      throw QueryException.badParameter("sla", "names a rule, and selector another: give one");
    }
    return new SlaQuery(
        name.isEmpty() ? null : name,
        selector.isEmpty() ? null : rule(selector, parameters.require("limit")),
        range.startMillis(),
        range.endMillis());
  }

  private static SlaRule rule(String selector, String limits) throws QueryException {
    List<SlaLimit> rows = new ArrayList<>();
    try {
      for (String row : limits.split(",", -1)) {
        String[] parts = row.split(":", -1);
        if (parts.length != 2) {
          throw new IllegalArgumentException(
              "must be percentile:limit, such as 99.9%:500ms: " + row);
        }
        String percentile = parts[0].strip();
        rows.add(
            SlaLimit.parse(percentile.endsWith("%") ? percentile : percentile + "%", parts[1]));
      }
      SlaRule.requireOrder(rows);
    } catch (IllegalArgumentException e) {
      throw QueryException.badParameter("limit", String.valueOf(e.getMessage()));
    }
    try {
      return new SlaRule(AD_HOC, selector, List.of(), rows, null);
    } catch (IllegalArgumentException e) {
      throw QueryException.badParameter(String.valueOf(e.getMessage()));
    }
  }
}
