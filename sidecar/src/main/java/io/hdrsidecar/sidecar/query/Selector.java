package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.families.MetricNames;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.promql.LabelMatcher;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Chooses series as an instant vector selector of PromQL does: {@code
 * checkout{route="/pay",method!="GET",pod=~"a.*"}}.
 *
 * <p>The name may be the one the client registered ({@code checkout}) or the one of the exposed
 * histogram ({@code checkout_seconds}).
 */
public final class Selector {
  /** Stands for the name among the labels. */
  public static final String NAME_LABEL = "__name__";

  private final List<LabelMatcher> matchers;

  Selector(List<LabelMatcher> matchers) {
    this.matchers = List.copyOf(matchers);
  }

  /**
   * Reads a selector.
   *
   * @throws MalformedSelectorException saying at which character what was expected
   */
  public static Selector parse(String text) throws MalformedSelectorException {
    return new SelectorParser(text).parse();
  }

  /** Reads the selector of a parameter. */
  public static Selector of(String parameter, String text) throws QueryException {
    try {
      return parse(text);
    } catch (MalformedSelectorException e) {
      throw QueryException.badParameter(parameter, String.valueOf(e.getMessage()));
    }
  }

  /** Which series must be looked at. */
  public SeriesFilter filter() {
    return new SeriesFilter(matchers.stream().map(LabelMatcher::condition).toList(), false);
  }

  /** What labels must equal, by label; empty when something else is asked, too. */
  public Map<String, String> equalities() {
    Map<String, String> equalities = new TreeMap<>();
    for (LabelMatcher matcher : matchers) {
      String value = matcher.equalTo();
      if (value == null) {
        return Map.of();
      }
      equalities.put(matcher.label(), value);
    }
    return equalities;
  }

  /** Whether a series is chosen. */
  public boolean accepts(Series series) {
    return accepts(series.key(), series.metricNames().cumulative());
  }

  /** Whether one is chosen that may have ended. */
  public boolean accepts(SeriesKey key, Unit unit) {
    return accepts(key, MetricNames.of(key.name(), unit).cumulative());
  }

  private boolean accepts(SeriesKey key, String metric) {
    for (LabelMatcher matcher : matchers) {
      boolean accepted =
          matcher.label().equals(NAME_LABEL)
              ? matcher.accepts(key.name(), metric)
              : matcher.accepts(key.labels().get(matcher.label()));
      if (!accepted) {
        return false;
      }
    }
    return true;
  }

  /**
   * The same with a limit to what it may cost: series are looked at whose name fits.
   *
   * @param parameter that had the selector
   * @param claim to what those that are chosen take
   * @throws QueryException when more would have to be looked at
   */
  List<Series> select(String parameter, SeriesStore store, int maxSeries, HeapClaim claim)
      throws QueryException {
    long lookedAt = store.series().stream().filter(this::acceptsName).limit(maxSeries + 1L).count();
    if (lookedAt > maxSeries) {
      throw QueryException.badParameter(
          parameter,
          "more than "
              + maxSeries
              + " series have a name that fits (query.max-series); name the series wanted");
    }
    return select(store, claim);
  }

  private boolean acceptsName(Series series) {
    for (LabelMatcher matcher : matchers) {
      if (matcher.label().equals(NAME_LABEL)
          && !matcher.accepts(series.key().name(), series.metricNames().cumulative())) {
        return false;
      }
    }
    return true;
  }

  /** All series of the store that are chosen, in the order of their names and labels. */
  public List<Series> select(SeriesStore store) {
    return select(store, HeapClaim.unbounded());
  }

  /**
   * The same within what memory there is.
   *
   * @throws io.hdrsidecar.sidecar.memory.HeapFullException when it is not enough
   */
  public List<Series> select(SeriesStore store, HeapClaim claim) {
    long before = claim.bytes();
    List<Series> chosen =
        store.livingSeries().stream()
            .filter(this::accepts)
            .peek(series -> claim.grow(KeyText.cost(series.key())))
            .map(series -> Map.entry(series.key().toString(), series)) // Not at each comparison
            .sorted(Map.Entry.comparingByKey())
            .map(Map.Entry::getValue)
            .toList();
    claim.resize(claim.bytes(), before + chosen.size() * KeyText.SERIES_BYTES);
    return chosen;
  }
}
