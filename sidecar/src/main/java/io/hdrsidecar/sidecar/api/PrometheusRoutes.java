package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.evaluation.ExposedEdges;
import io.hdrsidecar.sidecar.evaluation.StepCache;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.prometheus.CatalogAnswers;
import io.hdrsidecar.sidecar.prometheus.EvaluatedAnswers;
import io.hdrsidecar.sidecar.prometheus.EvaluatedAnswers.AskedAt;
import io.hdrsidecar.sidecar.prometheus.FormParameters;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.vertx.core.Handler;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
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
    Answer answer(FormParameters parameters, QueryScope scope, AskedAt at) throws Exception;
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
    add(router, adder, "/query", (asked, scope, at) -> evaluated(scope).instant(asked, at));
    add(router, adder, "/query_range", (asked, scope, at) -> evaluated(scope).range(asked, at));
    add(router, adder, "/query_exemplars", (asked, scope, at) -> catalog(scope).exemplars(asked));
    add(router, adder, "/labels", (asked, scope, at) -> catalog(scope).labels(asked));
    add(router, adder, "/series", (asked, scope, at) -> catalog(scope).series(asked));
    adder.add(router, api + "/label/:name/values", this::values, false);
    adder.add(
        router,
        api + "/metadata",
        context -> ask(context, (asked, scope, at) -> catalog(scope).metadata(asked)),
        false);
    adder.add(router, api + "/status/buildinfo", this::buildInfo, false);
  }

  /** What may come as a form as well. */
  private void add(Router router, Adder adder, String path, Asked asked) {
    adder.add(router, PREFIX + "/api/v1" + path, context -> ask(context, asked), true);
  }

  private void values(RoutingContext context) {
    String name = context.pathParam("name");
    ask(context, (asked, scope, at) -> catalog(scope).values(name, asked));
  }

  private void ask(RoutingContext context, Asked asked) {
    forms
        .read(context)
        .onFailure(context::fail)
        .onSuccess(
            parameters -> {
              AskedAt at = new AskedAt(clock.instant(), System.nanoTime());
              questions.ask(context, scope -> asked.answer(parameters, scope, at));
            });
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
