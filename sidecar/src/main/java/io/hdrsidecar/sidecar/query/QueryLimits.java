package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.util.Map;

/** What one query about the history may cost; {@code query.max-series} is among those of HTTP. */
public record QueryLimits(
    @Setting(
            key = "query.max-steps",
            byDefault = "11000",
            range = "1 to 1000000",
            help = "Most steps in time of one answer.")
        int maxSteps,
    @Setting(
            key = "query.max-cells",
            byDefault = "500000",
            range = "1 to 1000000000",
            help = "Most numbers of one answer: steps times percentiles or buckets.")
        int maxCells,
    @Setting(
            key = "query.max-intervals",
            byDefault = "4000000",
            range = "1 to 1000000000",
            help = "Most intervals that one query may read from the history.")
        int maxIntervals,
    // Counted before they are added by their buckets.
    @Setting(
            key = "query.max-corrections",
            byDefault = "10000000",
            range = "1 to 1000000000",
            help = "Most places in which one corrected view may add values back.")
        int maxCorrections) {
  /** What {@code serve} uses unless told otherwise. */
  public static QueryLimits defaults() {
    return SettingRecords.of(QueryLimits.class, Map.of());
  }
}
