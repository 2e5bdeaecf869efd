package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.api.FormReader.Form;
import io.hdrsidecar.sidecar.evaluation.ExposedEdges;
import io.hdrsidecar.sidecar.evaluation.StepCache;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.prometheus.CatalogAnswers;
import io.hdrsidecar.sidecar.prometheus.EvaluatedAnswers;
import io.hdrsidecar.sidecar.prometheus.FormParameters;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.vertx.core.Handler;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Serves what clients of Prometheus ask for, under {@code /prometheus}, on workers. Event loop of
 * the server only.
 */
final class PrometheusRoutes {
  /** Where a data source is to look. */
  static final String PREFIX = "/prometheus";

  /** The Prometheus whose API this is, which clients look at before they use what came late. */
  private static final String LIKE_VERSION = "3.15.0";

  /** As Prometheus' {@code query.timeout}. */
  private static final long MOST_MILLIS = TimeUnit.MINUTES.toMillis(2);

  /** The needs of a query, with its parameters. */
  @FunctionalInterface
  private interface Needed {
    NeededSeries of(FormParameters parameters, QueryScope scope) throws QueryException;
  }

  /** Asks a query with its parameters. */
  @FunctionalInterface
  private interface PrometheusQuery {
    Answer answer(FormParameters parameters, QueryScope scope) throws Exception;
  }

  /** How long the answer may take, if the parameters say so. */
  @FunctionalInterface
  private interface Limit {
    AnswerTime of(FormParameters parameters, AnswerTime time) throws QueryException;
  }

  private static final Needed CATALOG = (asked, scope) -> CatalogAnswers.needs(asked);

  private final Queries queries;
  private final FormReader forms;
  private final Supplier<ExposeConfig> exposed;
  private final InstantSource clock;
  private final String version;
  private final StepCache cache;
  private ExposeConfig lastExposed = ExposeConfig.defaults();
  private ExposedEdges lastEdges = edgesOf(lastExposed);

  /**
   * Routes to queries.
   *
   * @param exposed how series are shown to Prometheus at the moment
   * @param version of the sidecar
   * @param cache what past steps gave
   */
  PrometheusRoutes(
      Queries queries,
      FormReader forms,
      Supplier<ExposeConfig> exposed,
      InstantSource clock,
      String version,
      StepCache cache) {
    this.cache = cache;
    this.queries = queries;
    this.forms = forms;
    this.exposed = exposed;
    this.clock = clock;
    this.version = version;
  }

  /** The same object as long as nothing changes. */
  private synchronized ExposedEdges edges() {
    ExposeConfig now = exposed.get();
    if (!now.equals(lastExposed)) {
      lastExposed = now;
      lastEdges = edgesOf(now);
    }
    return lastEdges;
  }

  private static ExposedEdges edgesOf(ExposeConfig config) {
    return new ExposedEdges(config.quantiles(), config::edges);
  }

  /** How a route is added, with what refuses other methods. */
  @FunctionalInterface
  interface Adder {
    void add(Router router, String path, Handler<RoutingContext> handler, boolean takesForms);
  }

  void addTo(Router router, Adder adder) {
    String api = PREFIX + "/api/v1";
    adder.add(router, api + "/query", this::query, true);
    adder.add(router, api + "/query_range", this::range, true);
    add(
        router,
        adder,
        "/query_exemplars",
        (asked, scope) -> CatalogAnswers.exemplarsNeeds(asked),
        (asked, scope) -> catalog(scope).exemplars(asked));
    add(router, adder, "/labels", CATALOG, (asked, scope) -> catalog(scope).labels(asked));
    add(router, adder, "/series", CATALOG, (asked, scope) -> catalog(scope).series(asked));
    adder.add(router, api + "/label/:name/values", this::values, false);
    adder.add(
        router,
        api + "/metadata",
        context ->
            ask(
                context,
                (asked, scope) -> CatalogAnswers.metadataNeeds(),
                (asked, scope) -> catalog(scope).metadata(asked)),
        false);
    adder.add(router, api + "/status/buildinfo", this::buildInfo, false);
  }

  /** Adds a route whose query may come as a form as well. */
  private void add(Router router, Adder adder, String path, Needed needs, PrometheusQuery asked) {
    adder.add(router, PREFIX + "/api/v1" + path, context -> ask(context, needs, asked), true);
  }

  private void values(RoutingContext context) {
    String name = context.pathParam("name");
    ask(context, CATALOG, (asked, scope) -> catalog(scope).values(name, asked));
  }

  private void query(RoutingContext context) {
    Instant now = clock.instant();
    ask(
        context,
        PrometheusRoutes::timeout,
        (asked, scope) -> EvaluatedAnswers.instantNeeds(asked, now, scope),
        (asked, scope) -> evaluated(scope).instant(asked, now));
  }

  private void range(RoutingContext context) {
    Instant now = clock.instant();
    ask(
        context,
        PrometheusRoutes::timeout,
        EvaluatedAnswers::rangeNeeds,
        (asked, scope) -> evaluated(scope).range(asked, now));
  }

  private static AnswerTime timeout(FormParameters parameters, AnswerTime time)
      throws QueryException {
    return time.atMost(MOST_MILLIS, "the most for a query")
        .atMost(parameters.timeoutMillis(), "the parameter timeout");
  }

  private void ask(RoutingContext context, Needed needs, PrometheusQuery asked) {
    ask(context, (parameters, time) -> time, needs, asked);
  }

  private void ask(RoutingContext context, Limit limit, Needed needs, PrometheusQuery asked) {
    AnswerTime time = queries.timeFromNow();
    forms
        .read(context)
        .onFailure(context::fail)
        .onSuccess(form -> ask(context, form, time, limit, needs, asked));
  }

  private void ask(
      RoutingContext context,
      Form form,
      AnswerTime most,
      Limit limit,
      Needed needs,
      PrometheusQuery asked) {
    try {
      AnswerTime time = limit.of(form.parameters(), most);
      queries.ask(
          context,
          time,
          form.release(),
          scope -> needs.of(form.parameters(), scope),
          scope -> asked.answer(form.parameters(), scope));
    } catch (QueryException e) {
      form.release().run();
      context.fail(QueryErrors.of(e));
    }
  }

  private EvaluatedAnswers evaluated(QueryScope scope) {
    return new EvaluatedAnswers(scope, edges(), cache);
  }

  private CatalogAnswers catalog(QueryScope scope) {
    return new CatalogAnswers(scope, edges());
  }

  private void buildInfo(RoutingContext context) {
    QueryRoutes.send(
        context,
        Envelope.success(
            new JsonObject()
                .put("version", LIKE_VERSION)
                .put("revision", "hdr-sidecar " + version)
                .put("branch", "")
                .put("buildUser", "")
                .put("buildDate", "")
                .put("goVersion", "")));
  }
}
