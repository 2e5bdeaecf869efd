package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.families.MetricNames;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.merge.MemoryExtent;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.promql.Condition;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.promql.FloatText;
import io.hdrsidecar.sidecar.promql.LabelMatcher;
import io.hdrsidecar.sidecar.query.KeyText;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesSelection;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A selector of PromQL over the names that Prometheus sees: each series is several metrics, and
 * some of these several series, told apart by {@code le}, {@code quantile} and {@code window}.
 */
final class SeriesChoice {
  static final String QUANTILE = "quantile";
  static final String WINDOW = "window";

  /** How long Prometheus takes a series for being there after its last sample. */
  static final long LOOKBACK_MILLIS = 300_000;

  private static final int LOOK_EVERY = 256;

  private static final Set<String> VIRTUAL = Set.of(MetricLabels.LE, QUANTILE, WINDOW);

  private final List<LabelMatcher> names = new ArrayList<>();
  private final List<LabelMatcher> labels = new ArrayList<>();
  private final Map<String, List<LabelMatcher>> virtual = new HashMap<>();
  private final Set<ExposedForm> wanted;

  SeriesChoice(VectorSelector selector) {
    wanted = EnumSet.allOf(ExposedForm.class);
    for (Condition each : selector.conditions()) {
      LabelMatcher matcher = LabelMatcher.of(each);
      if (each.label().equals(Condition.NAME)) {
        names.add(matcher);
      } else if (VIRTUAL.contains(each.label())) {
        virtual.computeIfAbsent(each.label(), none -> new ArrayList<>()).add(matcher);
      } else {
        labels.add(matcher);
      }
    }
  }

  private SeriesChoice(SeriesChoice of, Set<ExposedForm> wanted) {
    this.wanted = wanted;
    names.addAll(of.names);
    labels.addAll(of.labels);
    virtual.putAll(of.virtual);
  }

  /** The same without gauges. */
  SeriesChoice ofCounts() {
    return new SeriesChoice(this, EnumSet.complementOf(EnumSet.of(ExposedForm.WINDOW)));
  }

  /** The same of gauges only. */
  SeriesChoice ofGauges() {
    return new SeriesChoice(this, EnumSet.of(ExposedForm.WINDOW));
  }

  private static boolean all(List<LabelMatcher> matchers, String value) {
    return matchers.stream().allMatch(each -> each.accepts(value));
  }

  private boolean accepts(String label, String value) {
    return all(virtual.getOrDefault(label, List.of()), value);
  }

  private record NameAndUnit(MetricNames names, Unit unit) {}

  /** In which metrics a series of this name is chosen, if its labels are. */
  private Set<ExposedForm> forms(NameAndUnit named, ExposedEdges exposed) {
    Set<ExposedForm> forms = EnumSet.noneOf(ExposedForm.class);
    for (ExposedForm form : wanted) {
      if (all(names, form.metric(named.names()))
          && mayHave(form)
          && (form != ExposedForm.BUCKET || !edges(named.unit(), exposed).isEmpty())) {
        forms.add(form);
      }
    }
    return forms;
  }

  private boolean mayHave(ExposedForm form) {
    return (form == ExposedForm.BUCKET || accepts(MetricLabels.LE, ""))
        && (form == ExposedForm.WINDOW || (accepts(QUANTILE, "") && accepts(WINDOW, "")));
  }

  private boolean accepts(SeriesKey key) {
    for (LabelMatcher matcher : labels) {
      if (!matcher.accepts(key.labels().get(matcher.label()))) {
        return false;
      }
    }
    return true;
  }

  /** Those of the classic edges of a unit, the infinite one among them, that are chosen. */
  List<Double> edges(Unit unit, ExposedEdges exposed) {
    List<Double> chosen = new ArrayList<>(exposed.ofUnit().apply(unit));
    chosen.add(Double.POSITIVE_INFINITY);
    // As Prometheus spells it, or as people write it: 1.0 and 1.
    chosen.removeIf(
        edge ->
            !virtual.getOrDefault(MetricLabels.LE, List.of()).stream()
                .allMatch(each -> each.accepts(FloatText.ofEdge(edge), FloatText.ofSample(edge))));
    return chosen;
  }

  /** Whether a window gauge with these labels is chosen. */
  boolean acceptsGauge(String quantile, WindowSpec window) {
    return names.stream().allMatch(SeriesChoice::mayNameGauge)
        && accepts(QUANTILE, quantile)
        && accepts(WINDOW, window.name());
  }

  private static boolean mayNameGauge(LabelMatcher name) {
    String only = name.equalTo();
    return only == null || only.contains(MetricNames.WINDOW);
  }

  /**
   * The series that are chosen, those that have ended among them, in the order of their names and
   * labels.
   *
   * @throws QueryException when there are more than may be
   */
  List<ChosenSeries> select(PastReading reading, EvaluationScope evaluation) throws QueryException {
    QueryScope scope = evaluation.query();
    Map<NameAndUnit, Set<ExposedForm>> formsByName = new HashMap<>();
    int looked = 0;
    Map<SeriesKey, ChosenSeries> chosen = new HashMap<>();
    Map<SeriesKey, Long> since = new HashMap<>();
    for (PastSeries each : reading.series()) {
      if (looked++ % LOOK_EVERY == 0) {
        evaluation.requireWanted();
      }
      MetricNames names = MetricNames.of(each.key().name(), each.unit());
      Set<ExposedForm> forms =
          formsByName.computeIfAbsent(
              new NameAndUnit(names, each.unit()), named -> forms(named, evaluation.edges()));
      if (!forms.isEmpty() && accepts(each.key())) {
        long from = since.merge(each.key(), each.fromMillis(), Math::min);
        long to = Math.addExact(Math.min(each.toMillis(), Long.MAX_VALUE / 2), LOOKBACK_MILLIS);
        add(chosen, new ChosenSeries(each.key(), each.unit(), null, forms, from, to), scope);
      }
    }
    for (Series each : scope.store().livingSeries()) {
      if (looked++ % LOOK_EVERY == 0) {
        evaluation.requireWanted();
      }
      Set<ExposedForm> forms =
          formsByName.computeIfAbsent(
              new NameAndUnit(each.metricNames(), each.unit()),
              named -> forms(named, evaluation.edges()));
      if (!forms.isEmpty() && accepts(each.key())) {
        long from = Math.min(begin(each), since.getOrDefault(each.key(), Long.MAX_VALUE));
        add(
            chosen,
            new ChosenSeries(each.key(), each.unit(), each, forms, from, Long.MAX_VALUE),
            scope);
      }
    }
    List<ChosenSeries> sorted = new ArrayList<>(chosen.values());
    sorted.sort(Comparator.comparing(each -> each.key().toString()));
    return sorted;
  }

  private static long begin(Series series) {
    HistoryExtent inMemory = MemoryExtent.of(series);
    long created = series.createdAt().toEpochMilli();
    return inMemory.isEmpty() ? created : Math.min(created, inMemory.fromMillis());
  }

  private static void add(Map<SeriesKey, ChosenSeries> chosen, ChosenSeries one, QueryScope scope)
      throws QueryException {
    if (!chosen.containsKey(one.key())) {
      if (chosen.size() >= scope.maxSeries()) {
        throw QueryException.tooCostly(
            "query",
            "a selector matches more than "
                + scope.maxSeries()
                + " series that live or are kept (query.max-series); name the series wanted");
      }
      scope.claim().grow(KeyText.cost(one.key()));
    }
    chosen.put(one.key(), one);
  }

  /** These series, as what is gathered for them. */
  static SeriesSelection selection(List<ChosenSeries> chosen) {
    List<Series> living = new ArrayList<>();
    List<PastSeries> past = new ArrayList<>();
    for (ChosenSeries each : chosen) {
      Series series = each.living();
      if (series != null) {
        living.add(series);
      }
      past.add(PastSeries.of(each.key(), each.unit()));
    }
    Unit unit = chosen.isEmpty() ? Unit.NONE : chosen.get(0).unit();
    return new SeriesSelection("query", living, past, unit);
  }
}
