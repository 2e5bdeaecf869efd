package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.sla.SlaStatus.WindowStatus;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule in force, and what is remembered of it from evaluation to evaluation: since when each row
 * is met or not, and what was logged. One thread.
 */
final class RuleState {
  /** Said of a selector without series: not met, not broken, and never green. */
  static final String NO_SERIES = "no series matches the selector";

  private static final Logger LOG = System.getLogger(RuleState.class.getName());

  /** How a row stands, and since when. */
  private record Standing(boolean met, Instant since) {}

  private record Place(String window, int row) {}

  private final SlaRule rule;
  private final SelectedSeries selected;
  private final Map<Place, Standing> standings = new HashMap<>();

  /** What was said to be broken, and not yet to be met again; a silence between is no change. */
  private final Set<Place> saidBroken = new HashSet<>();

  private final List<WindowStatus> windows = new ArrayList<>();
  private final SlaCounters counters;
  private final boolean logs;
  private String logged = "";
  private String trouble = "";
  private boolean counted;
  private List<Row> total = List.of();

  private RuleState(SlaRule rule, SelectedSeries selected, boolean atZero, boolean logs) {
    this.rule = rule;
    this.selected = selected;
    this.counters = new SlaCounters(selected, rule.limits().size(), atZero);
    this.logs = logs;
  }

  /**
   * A rule in force, which logs when it cannot be judged, and when it can again.
   *
   * @param atZero whether its counters begin at 0
   */
  static RuleState inForce(SlaRule rule, SelectedSeries selected, boolean atZero) {
    return new RuleState(rule, selected, atZero, true);
  }

  /** A rule for one query. */
  static RuleState silent(SlaRule rule, SelectedSeries selected) {
    return new RuleState(rule, selected, false, false);
  }

  SlaRule rule() {
    return rule;
  }

  /** Begins an evaluation. */
  void begin() {
    trouble = troubleOf(rule, selected.matched(), selected.mixture());
    counted = trouble.isEmpty() || selected.matched().isEmpty();
    if (trouble.isEmpty()) {
      trouble = windowTrouble(selected.matched());
    }
    total = List.of();
    windows.clear();
    if (!trouble.isEmpty()) {
      standings.clear();
    }
    logOnce();
  }

  /** Why a rule cannot be judged on these series; empty when it can. */
  static String troubleOf(SlaRule rule, List<Series> matched, String mixture) {
    if (matched.isEmpty()) {
      return NO_SERIES;
    }
    if (!mixture.isEmpty()) {
      return mixture;
    }
    Unit unit = matched.get(0).unit();
    if (!unit.baseUnit().equals(rule.baseUnit())) {
      return "limits are "
          + kind(rule.baseUnit())
          + ", but "
          + matched.get(0).key()
          + " has the unit "
          + unit.symbol();
    }
    return "";
  }

  /** A verdict on a part of what came within a window would be wrong. */
  private static String windowTrouble(List<Series> matched) {
    return matched.stream().allMatch(Series::hasWholeWindows)
        ? ""
        : "windows of some series are not whole, as memory for series is or was short"
            + " (series.max-memory)";
  }

  private static String kind(String baseUnit) {
    return switch (baseUnit) {
      case "seconds" -> "durations";
      case "bytes" -> "sizes";
      default -> "plain numbers";
    };
  }

  private void logOnce() {
    if (logs && !trouble.equals(logged)) {
      logged = trouble;
      if (trouble.isEmpty()) {
        LOG.log(Level.INFO, "event=sla_judged sla={0}", rule.name());
      } else {
        // Before the first client has come, no series is nothing to be warned of.
        Level level = trouble.equals(NO_SERIES) ? Level.INFO : Level.WARNING;
        LOG.log(level, "event=sla_not_judged sla={0} reason={1}", rule.name(), trouble);
      }
    }
  }

  /** Takes what was counted since the series began. */
  void total(Distribution joined, Instant now) {
    Unit unit = selected.unit();
    if (counted && unit != null && unit.baseUnit().equals(rule.baseUnit())) {
      total = rows(joined, unit);
    }
    if (counted) {
      counters.take(total, now);
    }
  }

  /** Whether this window is one of the rule's. */
  boolean isAbout(String window) {
    return rule.windows().isEmpty() || rule.windows().contains(window);
  }

  /** Whether the rule can be judged. */
  boolean isJudged() {
    return trouble.isEmpty();
  }

  /** Takes what was counted in a window that the rule {@link #isAbout}. */
  void window(String window, Distribution joined, Instant now) {
    Unit unit = selected.unit();
    if (unit == null || !isJudged()) {
      standings.keySet().removeIf(place -> place.window().equals(window));
      windows.add(new WindowStatus(window, List.of(), List.of()));
      return;
    }
    List<Row> rows = rows(joined, unit);
    if (rows.isEmpty()) {
      standings.keySet().removeIf(place -> place.window().equals(window));
    }
    List<Instant> since = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Place place = new Place(window, i);
      since.add(since(place, rows.get(i).met(), now));
      logChange(place, rows.get(i), unit);
    }
    windows.add(new WindowStatus(window, rows, since));
  }

  private void logChange(Place place, Row row, Unit unit) {
    boolean changes = row.met() ? saidBroken.remove(place) : logs && saidBroken.add(place);
    if (changes) {
      LOG.log(
          row.met() ? Level.INFO : Level.WARNING,
          "event={0} sla={1} window={2} percentile={3} limit={4} actual={5}",
          row.met() ? "sla_met" : "sla_broken",
          rule.name(),
          place.window(),
          row.limit().percentileText(),
          row.limit().text(),
          row.limit().likewise(row.actual(), unit));
    }
  }

  private Instant since(Place place, boolean met, Instant now) {
    Standing before = standings.get(place);
    if (before == null || before.met() != met) {
      before = new Standing(met, now);
      standings.put(place, before);
    }
    return before.since();
  }

  private List<Row> rows(Distribution joined, Unit unit) {
    if (joined.count() == 0) {
      return List.of();
    }
    return rule.limits().stream()
        .map(limit -> Row.of(limit, joined, unit, selected.layouts()))
        .toList();
  }

  /** Ends an evaluation that failed: there is no verdict, and what stood before stands no more. */
  SlaStatus fail(String why, List<String> windowNames, Instant now) {
    trouble = why;
    counted = false;
    total = List.of();
    standings.clear();
    windows.clear();
    windowNames.stream()
        .filter(this::isAbout)
        .forEach(window -> windows.add(new WindowStatus(window, List.of(), List.of())));
    logOnce();
    return end(now);
  }

  /** Ends the evaluation. */
  SlaStatus end(Instant now) {
    @Nullable Unit unit = selected.unit();
    return new SlaStatus(
        rule,
        now,
        trouble,
        selected.matched().stream().map(series -> series.key().toString()).toList(),
        unit,
        counted,
        total,
        selected.countedSince(),
        counters.counts(),
        counters.since(),
        List.copyOf(windows));
  }
}
