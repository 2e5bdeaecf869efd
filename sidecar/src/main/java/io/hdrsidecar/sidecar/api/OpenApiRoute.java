package io.hdrsidecar.sidecar.api;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Serves {@code /api/v1/openapi.yaml}: all routes in OpenAPI 3.1, and whether a token is needed.
 */
final class OpenApiRoute implements Handler<RoutingContext> {
  /** Says that no token is one of the ways to ask. */
  private static final String OPEN = "  - {}\n";

  private final ApiDocument document;
  private final TokenCheck tokens;

  OpenApiRoute(ApiDocument document, TokenCheck tokens) {
    this.document = document;
    this.tokens = tokens;
  }

  @Override
  public void handle(RoutingContext context) {
    context
        .vertx()
        .executeBlocking(document::text)
        .onSuccess(text -> send(context, text))
        .onFailure(context::fail);
  }

  private void send(RoutingContext context, String text) {
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/yaml")
        .end(tokens.asks() ? text.replace("security:\n" + OPEN, "security:\n") : text);
  }
}
