package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.Answer;
import io.hdrsidecar.sidecar.query.HistogramAnswers;
import io.hdrsidecar.sidecar.query.HistogramQuery;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.SeriesAnswers;
import io.hdrsidecar.sidecar.sla.SlaAnswers;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.Callable;

/** Serves {@code /api/v1/series}, {@code histogram} and {@code sla}, on workers. */
final class QueryRoutes {
  private static final String OCTET_STREAM = "application/octet-stream";

  private final SeriesStore store;
  private final SlaAnswers slaAnswers;
  private final WorkerExecutor workers;
  private final SeriesAnswers seriesAnswers;
  private final HistogramAnswers histogramAnswers;

  QueryRoutes(SeriesStore store, SlaAnswers slaAnswers, WorkerExecutor workers, int maxSeries) {
    this.store = store;
    this.slaAnswers = slaAnswers;
    this.workers = workers;
    this.seriesAnswers = new SeriesAnswers(store, maxSeries);
    this.histogramAnswers = new HistogramAnswers(store, maxSeries);
  }

  void series(RoutingContext context) {
    answer(context, () -> seriesAnswers.answer(parameters(context)));
  }

  void sla(RoutingContext context) {
    answer(context, () -> slaAnswers.answer(parameters(context)));
  }

  void histogram(RoutingContext context) {
    String accept = context.request().getHeader(HttpHeaders.ACCEPT);
    boolean binary = accept != null && accept.contains(OCTET_STREAM);
    answer(
        context,
        () -> histogramAnswers.answer(HistogramQuery.of(parameters(context), store), binary));
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
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType()).end(answer.body());
  }
}
