package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.query.SlaState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one evaluation found out about a rule.
 *
 * @param rule the rule
 * @param at when it was evaluated
 * @param trouble why there is no verdict; empty when there is one
 * @param series keys of the series that match
 * @param unit unit of their values; null while none ever matched
 * @param counted whether {@code total} and {@code counts} may be shown: what a mixture counts means
 *     nothing
 * @param total every row against all that was counted; empty while nothing was
 * @param totalSince when nothing was
 * @param counts the counters of every row
 * @param countedSince when those were 0
 * @param windows every window of the rule
 */
record SlaStatus(
    SlaRule rule,
    Instant at,
    String trouble,
    List<String> series,
    @Nullable Unit unit,
    boolean counted,
    List<Row> total,
    Instant totalSince,
    List<SlaCounters.Count> counts,
    Instant countedSince,
    List<WindowStatus> windows) {
  /** All windows in one word. */
  SlaState state() {
    List<Row> rows = windows.stream().flatMap(window -> window.rows().stream()).toList();
    if (rows.isEmpty()) {
      return SlaState.UNKNOWN;
    }
    return rows.stream().allMatch(Row::met) ? SlaState.MET : SlaState.VIOLATED;
  }

  /** The same rule and series without a verdict. */
  SlaStatus withoutVerdict(String why) {
    List<WindowStatus> empty =
        windows.stream()
            .map(window -> new WindowStatus(window.window(), List.of(), List.of()))
            .toList();
    return new SlaStatus(
        rule, at, why, series, unit, false, List.of(), totalSince, counts, countedSince, empty);
  }

  /**
   * The rows of a rule in one window.
   *
   * @param window its name
   * @param rows in the order of the rule; empty while the window is, or there is trouble
   * @param since since when each row is what it is, met or not
   */
  record WindowStatus(String window, List<Row> rows, List<Instant> since) {}
}
