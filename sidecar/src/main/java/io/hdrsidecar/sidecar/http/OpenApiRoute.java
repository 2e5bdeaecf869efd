package io.hdrsidecar.sidecar.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** Serves {@code /api/v1/openapi.yaml}: all routes in OpenAPI 3.1. */
final class OpenApiRoute implements Handler<RoutingContext> {
  private final String document;

  OpenApiRoute(ApiDocument document) {
    this.document = document.text();
  }

  @Override
  public void handle(RoutingContext context) {
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/yaml").end(document);
  }
}
