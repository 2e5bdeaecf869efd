package io.hdrsidecar.sidecar.http;

import io.vertx.core.json.JsonObject;

/** The frame that Prometheus' HTTP API puts around an error. */
public final class ErrorEnvelope {
  static final String CONTENT_TYPE = "application/json; charset=utf-8";

  private ErrorEnvelope() {}

  /**
   * An error.
   *
   * @param errorType as in Prometheus' HTTP API
   */
  public static JsonObject of(String errorType, String message) {
    return new JsonObject()
        .put("status", "error")
        .put("errorType", errorType)
        .put("error", message);
  }
}
