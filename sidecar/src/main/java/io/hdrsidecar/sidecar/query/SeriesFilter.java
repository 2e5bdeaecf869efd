package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.families.MetricNames;
import io.hdrsidecar.sidecar.promql.Condition;
import io.hdrsidecar.sidecar.promql.LabelMatcher;
import java.util.List;
import java.util.Set;

/**
 * Conditions that series must meet to be looked at for a query: all that it is about meet them, and
 * perhaps some more. Immutable.
 */
public final class SeriesFilter {
  /** Meets all. */
  public static final SeriesFilter ALL = new SeriesFilter(List.of(), false);

  /** Labels of metrics that no series has by itself. */
  private static final Set<String> VIRTUAL = Set.of("le", "quantile", "window");

  private final List<Condition> conditions;
  private final List<LabelMatcher> matchers;
  private final boolean exposed;

  /**
   * Of these conditions.
   *
   * @param exposed whether they are about metrics as Prometheus sees them, not about series
   * @throws IllegalArgumentException for a regular expression that is none, or too large
   */
  public SeriesFilter(List<Condition> conditions, boolean exposed) {
    this.conditions = List.copyOf(conditions);
    this.matchers = conditions.stream().map(LabelMatcher::of).toList();
    this.exposed = exposed;
  }

  /** What it consists of. */
  public List<Condition> conditions() {
    return conditions;
  }

  /** Whether the conditions are about metrics as Prometheus sees them. */
  public boolean isExposed() {
    return exposed;
  }

  /** Whether a series may be among those that a query is about. */
  public boolean accepts(SeriesKey key, Unit unit) {
    MetricNames names = MetricNames.of(key.name(), unit);
    for (LabelMatcher matcher : matchers) {
      boolean accepted =
          matcher.label().equals(Condition.NAME)
              ? acceptsName(matcher, key, names)
              : (exposed && VIRTUAL.contains(matcher.label()))
                  || matcher.accepts(key.labels().get(matcher.label()));
      if (!accepted) {
        return false;
      }
    }
    return true;
  }

  private boolean acceptsName(LabelMatcher matcher, SeriesKey key, MetricNames names) {
    if (!exposed) {
      return matcher.accepts(key.name(), names.cumulative());
    }
    String only = matcher.equalTo();
    return only == null || only.startsWith(names.cumulative()) || only.equals(names.window());
  }
}
