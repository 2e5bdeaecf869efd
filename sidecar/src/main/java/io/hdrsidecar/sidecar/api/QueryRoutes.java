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
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /api/v1/series}, {@code overview}, {@code histogram}, {@code percentiles}, {@code
 * heatmap}, {@code compare} and {@code sla}, on workers. Event loop of the server only.
 */
final class QueryRoutes {
  private static final String OCTET_STREAM = "application/octet-stream";

  /**
   * The time of a query, by which what it needs and its answer agree: when it is first looked at,
   * on a worker. Any thread.
   */
  private static final class AskedAt {
    private final InstantSource clock;
    private @Nullable Instant instant;

    AskedAt(InstantSource clock) {
      this.clock = clock;
    }

    synchronized Instant instant() {
      Instant known = instant;
      if (known == null) {
        known = clock.instant();
        instant = known;
      }
      return known;
    }
  }

  private final SlaAnswers slaAnswers;
  private final Queries queries;
  private final InstantSource clock;

  /**
   * Routes to queries.
   *
   * @param queries asks them
   */
  QueryRoutes(SlaAnswers slaAnswers, Queries queries, InstantSource clock) {
    this.slaAnswers = slaAnswers;
    this.queries = queries;
    this.clock = clock;
  }

  void series(RoutingContext context) {
    queries.ask(
        context,
        scope -> SeriesAnswers.needs(parameters(context)),
        scope -> new SeriesAnswers(scope).answer(parameters(context)));
  }

  void overview(RoutingContext context) {
    AskedAt asked = new AskedAt(clock);
    queries.ask(
        context,
        scope ->
            OverviewAnswers.needs(parameters(context), slaAnswers.judged(), scope, asked.instant()),
        scope ->
            new OverviewAnswers(scope)
                .answer(parameters(context), slaAnswers.verdicts(scope), asked.instant()));
  }

  void sla(RoutingContext context) {
    AskedAt asked = new AskedAt(clock);
    queries.ask(
        context,
        scope -> slaAnswers.needs(parameters(context), asked.instant()),
        scope -> slaAnswers.answer(parameters(context), scope, asked.instant()));
  }

  void histogram(RoutingContext context) {
    String accept = context.request().getHeader(HttpHeaders.ACCEPT);
    boolean binary = accept != null && accept.contains(OCTET_STREAM);
    AskedAt asked = new AskedAt(clock);
    queries.ask(
        context,
        scope -> HistogramAnswers.needs(parameters(context), scope, asked.instant()),
        scope -> new HistogramAnswers(scope).answer(parameters(context), binary, asked.instant()));
  }

  void percentiles(RoutingContext context) {
    AskedAt asked = new AskedAt(clock);
    queries.ask(
        context,
        scope -> PercentilesAnswers.needs(parameters(context), asked.instant()),
        scope -> new PercentilesAnswers(scope).answer(parameters(context), asked.instant()));
  }

  void heatmap(RoutingContext context) {
    AskedAt asked = new AskedAt(clock);
    queries.ask(
        context,
        scope -> HeatmapAnswers.needs(parameters(context), asked.instant()),
        scope -> new HeatmapAnswers(scope).answer(parameters(context), asked.instant()));
  }

  void compare(RoutingContext context) {
    AskedAt asked = new AskedAt(clock);
    queries.ask(
        context,
        scope -> CompareAnswers.needs(parameters(context), asked.instant()),
        scope -> new CompareAnswers(scope).answer(parameters(context), asked.instant()));
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
