package io.hdrsidecar.sidecar.query;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The frame that Prometheus' HTTP API puts around every JSON answer. */
public final class Envelope {
  /** Content type of every JSON answer. */
  public static final String CONTENT_TYPE = "application/json; charset=utf-8";

  private Envelope() {}

  /** A success; {@code data} is a JSON object or array. */
  public static Answer success(Object data) {
    JsonObject envelope = new JsonObject().put("status", "success").put("data", data);
    return new Answer(CONTENT_TYPE, envelope.toBuffer());
  }

  /** A success with warnings, as Prometheus gives them; none are left out. */
  public static Answer success(JsonObject data, JsonArray warnings) {
    JsonObject envelope = new JsonObject().put("status", "success").put("data", data);
    if (!warnings.isEmpty()) {
      envelope.put("warnings", warnings);
    }
    return new Answer(CONTENT_TYPE, envelope.toBuffer());
  }

  /** An error. */
  public static JsonObject error(String errorType, String message) {
    return new JsonObject()
        .put("status", "error")
        .put("errorType", errorType)
        .put("error", message);
  }
}
