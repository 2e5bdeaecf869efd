package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.query.QueryLimits;
import java.util.List;

/** What one query about the history may cost; {@code query.max-series} is among those of HTTP. */
final class QuerySettings {
  private static final int MANY = 1_000_000_000;

  static final Setting<Integer> MAX_STEPS =
      SettingTypes.integer(
          "query.max-steps", "11000", 1, 1_000_000, "Most steps in time of one answer.");
  static final Setting<Integer> MAX_CELLS =
      SettingTypes.integer(
          "query.max-cells",
          "500000",
          1,
          MANY,
          "Most numbers of one answer: steps times percentiles or buckets.");
  static final Setting<Integer> MAX_INTERVALS =
      SettingTypes.integer(
          "query.max-intervals",
          "1000000",
          1,
          MANY,
          "Most intervals that one query may read from the history.");
  static final Setting<Integer> MAX_CORRECTIONS =
      SettingTypes.integer(
          "query.max-corrections",
          "10000000",
          1,
          MANY,
          "Most places in which one corrected view may add values back.");

  static final List<Setting<?>> ALL = List.of(MAX_STEPS, MAX_CELLS, MAX_INTERVALS, MAX_CORRECTIONS);

  private QuerySettings() {}

  static QueryLimits limits(SettingValues values) {
    return new QueryLimits(
        values.get(MAX_STEPS),
        values.get(MAX_CELLS),
        values.get(MAX_INTERVALS),
        values.get(MAX_CORRECTIONS));
  }
}
