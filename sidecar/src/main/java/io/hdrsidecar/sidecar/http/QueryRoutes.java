package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.Answer;
import io.hdrsidecar.sidecar.query.ApiException;
import io.hdrsidecar.sidecar.query.CompareAnswers;
import io.hdrsidecar.sidecar.query.HeatmapAnswers;
import io.hdrsidecar.sidecar.query.HistogramAnswers;
import io.hdrsidecar.sidecar.query.OverviewAnswers;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.PercentilesAnswers;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesAnswers;
import io.hdrsidecar.sidecar.sla.SlaAnswers;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Serves {@code /api/v1/series}, {@code overview}, {@code histogram}, {@code percentiles}, {@code
 * heatmap}, {@code compare} and {@code sla}, on workers. Event loop of the server only.
 */
final class QueryRoutes {
  private static final String OCTET_STREAM = "application/octet-stream";

  private final SlaAnswers slaAnswers;
  private final WorkerExecutor workers;
  private final SeriesAnswers seriesAnswers;
  private final OverviewAnswers overviewAnswers;
  private final HistogramAnswers histogramAnswers;
  private final PercentilesAnswers percentilesAnswers;
  private final HeatmapAnswers heatmapAnswers;
  private final CompareAnswers compareAnswers;
  private final Clock clock;
  private final int maxQuestions;
  private int questions;

  QueryRoutes(
      SeriesStore store,
      SlaAnswers slaAnswers,
      WorkerExecutor workers,
      HttpConfig config,
      Clock clock) {
    this.clock = clock;
    this.maxQuestions = config.limits().maxConnections();
    int maxSeries = config.limits().maxSelectedSeries();
    QueryScope scope = new QueryScope(store, maxSeries, config.queryLimits());
    this.slaAnswers = slaAnswers;
    this.workers = workers;
    this.seriesAnswers = new SeriesAnswers(store, maxSeries);
    this.overviewAnswers = new OverviewAnswers(scope);
    this.histogramAnswers = new HistogramAnswers(scope);
    this.percentilesAnswers = new PercentilesAnswers(scope);
    this.heatmapAnswers = new HeatmapAnswers(scope);
    this.compareAnswers = new CompareAnswers(scope);
  }

  void series(RoutingContext context) {
    answer(context, () -> seriesAnswers.answer(parameters(context)));
  }

  void overview(RoutingContext context) {
    answer(
        context,
        () -> overviewAnswers.answer(parameters(context), slaAnswers.verdicts(), clock.instant()));
  }

  void sla(RoutingContext context) {
    answer(context, () -> slaAnswers.answer(parameters(context)));
  }

  void histogram(RoutingContext context) {
    String accept = context.request().getHeader(HttpHeaders.ACCEPT);
    boolean binary = accept != null && accept.contains(OCTET_STREAM);
    answer(context, () -> histogramAnswers.answer(parameters(context), binary, clock.instant()));
  }

  void percentiles(RoutingContext context) {
    answer(context, () -> percentilesAnswers.answer(parameters(context), clock.instant()));
  }

  void heatmap(RoutingContext context) {
    answer(context, () -> heatmapAnswers.answer(parameters(context), clock.instant()));
  }

  void compare(RoutingContext context) {
    answer(context, () -> compareAnswers.answer(parameters(context), clock.instant()));
  }

  private static Parameters parameters(RoutingContext context) throws Exception {
    return new Parameters(context.queryParams().entries());
  }

  /**
   * Asks on a worker, unless whoever asked has gone by then. An open connection has one question at
   * a time, so the bound is reached by those alone who ask, go, and ask again.
   */
  private void answer(RoutingContext context, Callable<Answer> question) {
    if (questions >= maxQuestions) {
      context.fail(
          new ApiException(
              503,
              "unavailable",
              "too many questions at once: "
                  + maxQuestions
                  + " are waiting or being answered (http.max-connections); ask again"));
      return;
    }
    questions++;
    HttpServerResponse response = context.response();
    workers
        .executeBlocking(
            () -> response.closed() ? Optional.<Answer>empty() : Optional.of(question.call()),
            false)
        .onComplete(done -> questions--)
        .onSuccess(answer -> answer.ifPresent(found -> send(context, found)))
        .onFailure(context::fail);
  }

  static void send(RoutingContext context, Answer answer) {
    answer
        .headers()
        .forEach(each -> context.response().headers().add(each.getKey(), each.getValue()));
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType()).end(answer.body());
  }
}
