package io.hdrsidecar.sidecar.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Serves {@code /api/v1/openapi.yaml}: all routes in OpenAPI 3.1, a file in the jar. */
final class OpenApiRoute implements Handler<RoutingContext> {
  /** Where it lies in the jar. */
  static final String RESOURCE = "/io/hdrsidecar/sidecar/http/openapi.yaml";

  private final Buffer document;

  private OpenApiRoute(Buffer document) {
    this.document = document;
  }

  /** Reads the document. */
  static OpenApiRoute load() {
    try (InputStream in = OpenApiRoute.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("not in the jar: " + RESOURCE);
      }
      return new OpenApiRoute(Buffer.buffer(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void handle(RoutingContext context) {
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/yaml").end(document);
  }
}
