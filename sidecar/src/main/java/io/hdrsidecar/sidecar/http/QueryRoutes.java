package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.Answer;
import io.hdrsidecar.sidecar.query.CompareAnswers;
import io.hdrsidecar.sidecar.query.HeatmapAnswers;
import io.hdrsidecar.sidecar.query.HistogramAnswers;
import io.hdrsidecar.sidecar.query.OverviewAnswers;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.PercentilesAnswers;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.SeriesAnswers;
import io.hdrsidecar.sidecar.sla.SlaAnswers;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.concurrent.Callable;

/**
 * Serves {@code /api/v1/series}, {@code overview}, {@code histogram}, {@code percentiles}, {@code
 * heatmap}, {@code compare} and {@code sla}, on workers.
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

  QueryRoutes(
      SeriesStore store,
      SlaAnswers slaAnswers,
      WorkerExecutor workers,
      HttpConfig config,
      Clock clock) {
    this.clock = clock;
    int maxSeries = config.limits().maxSelectedSeries();
    QueryLimits limits = config.queryLimits();
    this.slaAnswers = slaAnswers;
    this.workers = workers;
    this.seriesAnswers = new SeriesAnswers(store, maxSeries);
    this.overviewAnswers = new OverviewAnswers(store, maxSeries, limits);
    this.histogramAnswers = new HistogramAnswers(store, maxSeries, limits);
    this.percentilesAnswers = new PercentilesAnswers(store, maxSeries, limits);
    this.heatmapAnswers = new HeatmapAnswers(store, maxSeries, limits);
    this.compareAnswers = new CompareAnswers(store, maxSeries, limits);
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

  private void answer(RoutingContext context, Callable<Answer> question) {
    workers
        .executeBlocking(question, false)
        .onSuccess(answer -> send(context, answer))
        .onFailure(context::fail);
  }

  static void send(RoutingContext context, Answer answer) {
    answer
        .headers()
        .forEach(each -> context.response().headers().add(each.getKey(), each.getValue()));
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType()).end(answer.body());
  }
}
