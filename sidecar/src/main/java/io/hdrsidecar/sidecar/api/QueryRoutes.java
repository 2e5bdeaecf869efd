package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.CompareAnswers;
import io.hdrsidecar.sidecar.answer.HeatmapAnswers;
import io.hdrsidecar.sidecar.answer.HistogramAnswers;
import io.hdrsidecar.sidecar.answer.OverviewAnswers;
import io.hdrsidecar.sidecar.answer.PercentilesAnswers;
import io.hdrsidecar.sidecar.answer.SeriesAnswers;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.sla.SlaAnswers;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Serves {@code /api/v1/series}, {@code overview}, {@code histogram}, {@code percentiles}, {@code
 * heatmap}, {@code compare} and {@code sla}, on workers. Event loop of the server only.
 */
final class QueryRoutes {
  private static final String OCTET_STREAM = "application/octet-stream";

  private final SlaAnswers slaAnswers;
  private final Questions questions;
  private final InstantSource clock;

  /**
   * Routes to questions.
   *
   * @param questions asks them
   */
  QueryRoutes(SlaAnswers slaAnswers, Questions questions, InstantSource clock) {
    this.slaAnswers = slaAnswers;
    this.questions = questions;
    this.clock = clock;
  }

  void series(RoutingContext context) {
    questions.ask(
        context,
        scope -> SeriesAnswers.needs(parameters(context)),
        scope -> new SeriesAnswers(scope).answer(parameters(context)));
  }

  void overview(RoutingContext context) {
    Instant now = clock.instant();
    questions.ask(
        context,
        scope -> OverviewAnswers.needs(parameters(context), slaAnswers.judged(), scope, now),
        scope ->
            new OverviewAnswers(scope)
                .answer(parameters(context), slaAnswers.verdicts(scope), now));
  }

  void sla(RoutingContext context) {
    Instant now = clock.instant();
    questions.ask(
        context,
        scope -> slaAnswers.needs(parameters(context), now),
        scope -> slaAnswers.answer(parameters(context), scope, now));
  }

  void histogram(RoutingContext context) {
    String accept = context.request().getHeader(HttpHeaders.ACCEPT);
    boolean binary = accept != null && accept.contains(OCTET_STREAM);
    Instant now = clock.instant();
    questions.ask(
        context,
        scope -> HistogramAnswers.needs(parameters(context), scope, now),
        scope -> new HistogramAnswers(scope).answer(parameters(context), binary, now));
  }

  void percentiles(RoutingContext context) {
    Instant now = clock.instant();
    questions.ask(
        context,
        scope -> PercentilesAnswers.needs(parameters(context), now),
        scope -> new PercentilesAnswers(scope).answer(parameters(context), now));
  }

  void heatmap(RoutingContext context) {
    Instant now = clock.instant();
    questions.ask(
        context,
        scope -> HeatmapAnswers.needs(parameters(context), now),
        scope -> new HeatmapAnswers(scope).answer(parameters(context), now));
  }

  void compare(RoutingContext context) {
    Instant now = clock.instant();
    questions.ask(
        context,
        scope -> CompareAnswers.needs(parameters(context), now),
        scope -> new CompareAnswers(scope).answer(parameters(context), now));
  }

  private static Parameters parameters(RoutingContext context) {
    return new Parameters(context.queryParams().entries());
  }

  /** Sends a short answer. */
  static void send(RoutingContext context, Answer answer) {
    begin(context, answer);
    context.response().end(answer.body());
  }

  /** Sets the head of an answer; the body has to follow, unless it is for HEAD. */
  static void begin(RoutingContext context, Answer answer) {
    answer
        .headers()
        .forEach(each -> context.response().headers().add(each.getKey(), each.getValue()));
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType())
        .putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(answer.length()));
  }
}
