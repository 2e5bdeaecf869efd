package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.CountsClaim;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import io.hdrsidecar.sidecar.query.SeriesVerdicts;
import io.hdrsidecar.sidecar.query.SlaState;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.JoinedCounts;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers {@code GET /api/v1/sla}: how each rule stands, and how it stood in a past range, as far
 * as the history has it.
 *
 * <p>How it stands is what the last evaluation found, as on {@code /metrics}. A rule made for the
 * query is judged when it is asked.
 */
public final class SlaAnswers {
  private final SlaEvaluator evaluator;
  private final InstantSource clock;

  /** Answers from this evaluator. */
  public SlaAnswers(SlaEvaluator evaluator, InstantSource clock) {
    this.evaluator = evaluator;
    this.clock = clock;
  }

  /**
   * Answers one query. Any thread; time in proportion to the history asked for.
   *
   * @param now what times such as {@code -5m} count from
   * @param scope has the series, and the most that are judged: now, of a rule made for the query,
   *     and on the past
   * @throws QueryException for a bad parameter, or a rule that is not there
   */
  public Answer answer(Parameters parameters, QueryScope scope, Instant now) throws QueryException {
    SlaQuery query = SlaQuery.of(parameters, now);
    SlaRule adHoc = query.adHoc();
    JsonArray slas = new JsonArray();
    if (adHoc != null) {
      slas.add(json(judged(adHoc, scope), query, scope));
    } else {
      for (SlaStatus status : statuses(query)) {
        SlaStatus shown = isWatched(scope) ? status : judged(status.rule(), scope);
        slas.add(json(shown, query, scope));
      }
    }
    return Envelope.success(
        new JsonObject()
            .put("start", SlaJson.time(query.startMillis()))
            .put("end", SlaJson.time(query.endMillis()))
            .put("slas", slas),
        scope.claim());
  }

  /** What {@link #answer} needs of series that are elsewhere. */
  public NeededSeries needs(Parameters parameters, Instant now) throws QueryException {
    SlaQuery query = SlaQuery.of(parameters, now);
    SlaRule adHoc = query.adHoc();
    List<SeriesFilter> filters =
        adHoc == null ? judged() : List.of(adHoc.parsedSelector().filter());
    return NeededSeries.of(filters, NeededSeries.Counts.WINDOWS)
        .with(query.startMillis(), query.endMillis());
  }

  /** The series that are judged all the time. Any thread. */
  public List<SeriesFilter> judged() {
    return evaluator.rules().stream().map(rule -> rule.parsedSelector().filter()).toList();
  }

  /** Other series than those are judged when they are asked for. */
  private boolean isWatched(QueryScope scope) {
    return evaluator.watches(scope.store());
  }

  /**
   * How the rules stand, series by series: at the last evaluation, if that is about these series.
   * Any thread.
   *
   * @throws QueryException when they are judged now, and are too many
   */
  public SeriesVerdicts verdicts(QueryScope scope) throws QueryException {
    Map<Selector, SlaState> states = new LinkedHashMap<>();
    for (SlaStatus status : evaluator.statuses()) {
      SlaStatus shown = isWatched(scope) ? status : judged(status.rule(), scope);
      states.put(status.rule().parsedSelector(), shown.state());
    }
    return series ->
        states.entrySet().stream()
            .filter(rule -> rule.getKey().accepts(series))
            .map(Map.Entry::getValue)
            .max(Comparator.naturalOrder())
            .orElse(null);
  }

  private List<SlaStatus> statuses(SlaQuery query) throws QueryException {
    String name = query.name();
    List<SlaStatus> all = evaluator.statuses();
    if (name == null) {
      return all;
    }
    List<SlaStatus> named = all.stream().filter(s -> s.rule().name().equals(name)).toList();
    if (named.isEmpty()) {
      throw QueryException.notFound("sla", "no rule has this name: " + name);
    }
    return named;
  }

  private SlaStatus judged(SlaRule rule, QueryScope scope) throws QueryException {
    SeriesStore store = scope.store();
    List<Series> series = rule.parsedSelector().select(store, scope.claim());
    if (series.size() > scope.maxSeries()) {
      throw QueryException.badParameter("selector", "matches " + tooMany(series.size(), scope));
    }
    CountsClaim claim = new CountsClaim(scope.claim());
    Instant now = clock.instant();
    Distribution joined = new Distribution();
    JoinedCounts counts = new JoinedCounts(claim::holds);
    SelectedSeries selected = new SelectedSeries(rule.parsedSelector(), false);
    selected.refresh(store, 1, now, joined);
    RuleState state = RuleState.silent(rule, selected);
    state.begin();
    if (state.isJudged()) {
      selected.readTotal(joined, counts);
      state.total(joined, now);
    }
    List<WindowSpec> windows = store.windows();
    for (int i = 0; i < windows.size(); i++) {
      if (!state.isAbout(windows.get(i).name())) {
        continue;
      }
      if (state.isJudged()) {
        selected.readWindow(i, joined, counts);
      }
      state.window(windows.get(i).name(), joined, now);
    }
    return state.end(now);
  }

  private static String tooMany(int series, QueryScope scope) {
    return series + " series; at most " + scope.maxSeries() + " are looked at (query.max-series)";
  }

  private static JsonObject json(SlaStatus status, SlaQuery query, QueryScope scope) {
    JsonObject json = SlaJson.of(status);
    if (status.trouble().isEmpty()) {
      json.put("past", past(status.rule(), query, scope));
    }
    return json;
  }

  /** One rule that asks for too much must not take the table from the others. */
  private static JsonObject past(SlaRule rule, SlaQuery query, QueryScope scope) {
    List<Series> series = rule.parsedSelector().select(scope.store(), scope.claim());
    String trouble =
        series.size() > scope.maxSeries()
            ? "the selector matches " + tooMany(series.size(), scope)
            // A series may have come or gone since the verdict.
            : RuleState.troubleOf(rule, series, SelectedSeries.mixtureOf(series));
    return trouble.isEmpty() ? past(rule, series, query, scope) : troubled(trouble);
  }

  private static JsonObject past(
      SlaRule rule, List<Series> series, SlaQuery query, QueryScope scope) {
    SeriesStore store = scope.store();
    if (!store.past().isKept()) {
      return SlaJson.ofNothing();
    }
    TimeRange range = new TimeRange(query.startMillis(), query.endMillis());
    try (PastCounts past = PastCounts.of("selector", rule.parsedSelector(), series, range, scope)) {
      PastVerdict verdict = PastVerdict.of(rule, past, series.get(0).unit());
      return SlaJson.of(verdict, past.isWhole(), past.warnings());
    } catch (QueryException e) {
      return troubled(e.message());
    }
  }

  private static JsonObject troubled(String trouble) {
    return SlaJson.ofNothing().put("trouble", trouble);
  }
}
