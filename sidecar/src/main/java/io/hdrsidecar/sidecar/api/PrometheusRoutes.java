package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.evaluation.ExposedEdges;
import io.hdrsidecar.sidecar.evaluation.StepCache;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.prometheus.CatalogAnswers;
import io.hdrsidecar.sidecar.prometheus.EvaluatedAnswers;
import io.hdrsidecar.sidecar.prometheus.FormParameters;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.vertx.core.Handler;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
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

  /** Asks a question with its parameters. */
  @FunctionalInterface
  private interface Asked {
    Answer answer(FormParameters parameters, QueryScope scope, BooleanSupplier isGone)
        throws Exception;
  }

  private final Questions questions;
  private final FormReader forms;
  private final Supplier<ExposeConfig> exposed;
  private final InstantSource clock;
  private final String version;
  private final StepCache cache;
  private ExposeConfig lastExposed = ExposeConfig.defaults();
  private ExposedEdges lastEdges = edgesOf(lastExposed);

  /**
   * Routes to questions.
   *
   * @param exposed how series are shown to Prometheus at the moment
   * @param version of the sidecar
   * @param cache what past steps gave
   */
  PrometheusRoutes(
      Questions questions,
      FormReader forms,
      Supplier<ExposeConfig> exposed,
      InstantSource clock,
      String version,
      StepCache cache) {
    this.cache = cache;
    this.questions = questions;
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
    adder.add(router, api + "/query", context -> ask(context, this::query), true);
    adder.add(router, api + "/query_range", context -> ask(context, this::range), true);
    adder.add(router, api + "/query_exemplars", context -> ask(context, this::exemplars), true);
    adder.add(router, api + "/labels", context -> ask(context, this::labels), true);
    adder.add(router, api + "/label/:name/values", this::values, false);
    adder.add(router, api + "/series", context -> ask(context, this::series), true);
    adder.add(router, api + "/metadata", context -> ask(context, this::metadata), false);
    adder.add(router, api + "/status/buildinfo", this::buildInfo, false);
  }

  private void ask(RoutingContext context, Asked asked) {
    forms
        .read(context)
        .onFailure(context::fail)
        .onSuccess(
            parameters ->
                questions.ask(
                    context, scope -> asked.answer(parameters, scope, () -> isGone(context))));
  }

  private static boolean isGone(RoutingContext context) {
    return context.response().closed();
  }

  private Answer query(FormParameters parameters, QueryScope scope, BooleanSupplier isGone)
      throws Exception {
    return new EvaluatedAnswers(scope, edges(), isGone, cache).instant(parameters, clock.instant());
  }

  private Answer range(FormParameters parameters, QueryScope scope, BooleanSupplier isGone)
      throws Exception {
    return new EvaluatedAnswers(scope, edges(), isGone, cache).range(parameters, clock.instant());
  }

  private Answer exemplars(FormParameters parameters, QueryScope scope, BooleanSupplier isGone)
      throws Exception {
    return new CatalogAnswers(scope, edges(), isGone).exemplars(parameters);
  }

  private Answer labels(FormParameters parameters, QueryScope scope, BooleanSupplier isGone)
      throws Exception {
    return new CatalogAnswers(scope, edges(), isGone).labels(parameters);
  }

  private void values(RoutingContext context) {
    String name = context.pathParam("name");
    ask(
        context,
        (parameters, scope, isGone) ->
            new CatalogAnswers(scope, edges(), isGone).values(name, parameters));
  }

  private Answer series(FormParameters parameters, QueryScope scope, BooleanSupplier isGone)
      throws Exception {
    return new CatalogAnswers(scope, edges(), isGone).series(parameters);
  }

  private Answer metadata(FormParameters parameters, QueryScope scope, BooleanSupplier isGone)
      throws Exception {
    return new CatalogAnswers(scope, edges(), isGone).metadata(parameters);
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
