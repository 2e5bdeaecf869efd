package io.hdrsidecar.sidecar.prometheus;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.answer.JsonPart;
import io.hdrsidecar.sidecar.evaluation.EvaluationScope;
import io.hdrsidecar.sidecar.evaluation.ExposedEdges;
import io.hdrsidecar.sidecar.evaluation.MetricLabels;
import io.hdrsidecar.sidecar.evaluation.QueryNeeds;
import io.hdrsidecar.sidecar.evaluation.SeriesCatalog;
import io.hdrsidecar.sidecar.families.MetricNames;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.promql.FloatText;
import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.promql.PromqlParser;
import io.hdrsidecar.sidecar.promql.SelectorsWithin;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Answers {@code /api/v1/labels}, {@code label/NAME/values}, {@code series}, {@code metadata} and
 * {@code query_exemplars}: what there is to ask for.
 */
public final class CatalogAnswers {
  private static final int MAX_SELECTORS = 16;
  private static final String TRUNCATED = "results truncated due to limit";
  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private final QueryScope scope;
  private final ExposedEdges edges;

  /** Answers one query. */
  public CatalogAnswers(QueryScope scope, ExposedEdges edges) {
    this.scope = scope;
    this.edges = edges;
  }

  private SeriesCatalog catalog(FormParameters parameters, List<VectorSelector> selectors)
      throws QueryException {
    long start = parameters.time("start", EARLIEST);
    long end = parameters.time("end", LATEST);
    if (end < start) {
      throw FormParameters.invalid("end", "end timestamp must not be before start timestamp");
    }
    EvaluationScope evaluation = new EvaluationScope(scope, edges, end, null);
    return new SeriesCatalog(evaluation, selectors, start, end);
  }

  private static List<VectorSelector> matches(FormParameters parameters) throws QueryException {
    List<VectorSelector> selectors = new ArrayList<>();
    if (parameters.all("match[]").size() > MAX_SELECTORS) {
      throw FormParameters.invalid("match[]", "given more than " + MAX_SELECTORS + " times");
    }
    for (String match : parameters.all("match[]")) {
      try {
        selectors.add(PromqlParser.selector(match));
      } catch (PromqlException e) {
        throw FormParameters.invalid("match[]", e.message());
      }
    }
    return selectors;
  }

  /** What lists of labels, of their values and of series need of series that are elsewhere. */
  public static NeededSeries needs(FormParameters parameters) throws QueryException {
    return needs(parameters, matches(parameters));
  }

  /** The same of {@link #metadata}. */
  public static NeededSeries metadataNeeds() {
    return QueryNeeds.ofCatalog(List.of(), EARLIEST.toEpochMilli(), LATEST.toEpochMilli());
  }

  /** The same of {@link #exemplars}. */
  public static NeededSeries exemplarsNeeds(FormParameters parameters) throws QueryException {
    try {
      return needs(parameters, SelectorsWithin.of(PromqlParser.parse(parameters.get("query"))));
    } catch (PromqlException e) {
      throw EvaluatedAnswers.refusal(e);
    }
  }

  private static NeededSeries needs(FormParameters parameters, List<VectorSelector> selectors)
      throws QueryException {
    return QueryNeeds.ofCatalog(
        selectors, parameters.time("start", EARLIEST), parameters.time("end", LATEST));
  }

  /** Names of labels. */
  public Answer labels(FormParameters parameters) throws QueryException {
    SortedSet<String> names = new TreeSet<>();
    visit(
        catalog(parameters, matches(parameters)),
        labels -> {
          labels.forEach((name, value) -> add(name, names));
          return true;
        });
    return limited(names, parameters.limit());
  }

  /** Values of a label. */
  public Answer values(String label, FormParameters parameters) throws QueryException {
    if (label.isEmpty()) {
      throw QueryException.badParameter("invalid label name: \"" + label + "\"");
    }
    SortedSet<String> values = new TreeSet<>();
    visit(
        catalog(parameters, matches(parameters)),
        labels -> {
          String value = labels.get(label);
          if (!value.isEmpty()) {
            add(value, values);
          }
          return true;
        });
    return limited(values, parameters.limit());
  }

  private void add(String text, SortedSet<String> into) {
    if (into.add(text)) {
      scope.claim().grow(128 + 2L * text.length());
    }
  }

  private Answer limited(SortedSet<String> texts, long limit) throws QueryException {
    List<String> some = texts.stream().limit(limit).toList();
    List<String> warnings = some.size() < texts.size() ? List.of(TRUNCATED) : List.of();
    return Envelope.success(some, () -> warnings, List::of, scope.claim());
  }

  private static void visit(SeriesCatalog catalog, SeriesCatalog.Visitor visitor)
      throws QueryException {
    try {
      catalog.forEach(visitor);
    } catch (IOException e) {
      throw new UncheckedIOException("sets in memory cannot fail", e);
    }
  }

  /** Series with all their labels. */
  public Answer series(FormParameters parameters) throws QueryException {
    List<VectorSelector> selectors = matches(parameters);
    if (selectors.isEmpty()) {
      throw QueryException.badParameter("no match[] parameter provided");
    }
    SeriesCatalog catalog = catalog(parameters, selectors);
    long limit = parameters.limit();
    long[] count = new long[1];
    JsonPart all =
        json -> {
          json.beginArray();
          catalog.forEach(
              labels -> {
                if (count[0]++ < limit) {
                  json.write(ResultJson.labels(labels));
                }
                return count[0] <= limit;
              });
          json.endArray();
        };
    return Envelope.success(
        all, () -> count[0] > limit ? List.of(TRUNCATED) : List.of(), List::of, scope.claim());
  }

  /** Types and helps of metrics. */
  public Answer metadata(FormParameters parameters) throws QueryException {
    SortedMap<String, JsonArray> byMetric = new TreeMap<>();
    String wanted = parameters.get("metric");
    for (Series each : scope.store().livingSeries()) {
      describe(each.metricNames(), each.help(), wanted, byMetric);
    }
    try (PastReading reading =
        scope.store().past().source().open(EARLIEST.toEpochMilli(), LATEST.toEpochMilli())) {
      for (PastSeries each : reading.series()) {
        describe(MetricNames.of(each.key().name(), each.unit()), each.help(), wanted, byMetric);
      }
    }
    long limit = parameters.limit();
    Map<String, JsonArray> some = new TreeMap<>();
    byMetric.entrySet().stream()
        .limit(limit)
        .forEach(each -> some.put(each.getKey(), each.getValue()));
    return Envelope.success(some, scope.claim());
  }

  private void describe(
      MetricNames names, String help, String wanted, SortedMap<String, JsonArray> into) {
    describe(names.cumulative(), "histogram", help, wanted, into);
    describe(names.window(), "gauge", help, wanted, into);
  }

  private void describe(
      String metric, String type, String help, String wanted, SortedMap<String, JsonArray> into) {
    if ((wanted.isEmpty() || wanted.equals(metric)) && !into.containsKey(metric)) {
      scope.claim().grow(512 + 2L * (metric.length() + help.length()));
      into.put(
          metric,
          new JsonArray()
              .add(new JsonObject().put("type", type).put("help", help).put("unit", "")));
    }
  }

  /** Values with their traces, of the series of a query. */
  public Answer exemplars(FormParameters parameters) throws QueryException {
    List<VectorSelector> selectors;
    try {
      selectors = SelectorsWithin.of(PromqlParser.parse(parameters.get("query")));
    } catch (PromqlException e) {
      throw EvaluatedAnswers.refusal(e);
    }
    if (selectors.size() > MAX_SELECTORS) {
      throw FormParameters.invalid("query", "has more than " + MAX_SELECTORS + " selectors");
    }
    if (selectors.isEmpty()) {
      return Envelope.success(new JsonArray(), scope.claim());
    }
    SeriesCatalog catalog = catalog(parameters, selectors);
    JsonPart all =
        json -> {
          json.beginArray();
          catalog.forEachExemplar(
              (labels, exemplars, perBaseUnit) -> {
                JsonArray each = new JsonArray();
                exemplars.forEach(one -> each.add(exemplar(one, perBaseUnit)));
                json.write(
                    new JsonObject()
                        .put("seriesLabels", new JsonObject(asObjects(labels)))
                        .put("exemplars", each));
              });
          json.endArray();
        };
    return Envelope.success(all, scope.claim());
  }

  private static Map<String, Object> asObjects(MetricLabels labels) {
    return new TreeMap<>(ResultJson.labels(labels));
  }

  private static JsonObject exemplar(Exemplar exemplar, double perBaseUnit) {
    JsonObject labels = new JsonObject().put("trace_id", exemplar.traceId());
    if (!exemplar.spanId().isEmpty()) {
      labels.put("span_id", exemplar.spanId());
    }
    return new JsonObject()
        .put("labels", labels)
        .put("value", FloatText.ofSample(exemplar.value() / perBaseUnit))
        .put("timestamp", ResultJson.seconds(exemplar.millis()));
  }
}
