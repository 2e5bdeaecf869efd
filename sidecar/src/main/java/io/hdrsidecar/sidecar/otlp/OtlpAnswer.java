package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.otlp.OtlpCounters.Result;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a sender is told: an {@code ExportMetricsServiceResponse} with status 200, or a {@code
 * google.rpc.Status} with another; in the form of the request. Immutable but for owners of the
 * bytes.
 *
 * @param result as it is counted
 * @param status of HTTP
 * @param code of google.rpc.Code
 * @param message what is wrong, if anything is
 * @param type of the body
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them, and a list would box.
record OtlpAnswer(Result result, int status, int code, String message, String type, byte[] body) {
  static final String PROTOBUF = "application/x-protobuf";
  static final String JSON = "application/json";

  private static final int MOST_MESSAGE = 500;

  private static final String RETRY_SECONDS = "1";

  /** Numbers of google.rpc.Code. */
  private static final int OK = 0;

  private static final int INVALID_ARGUMENT = 3;

  private static final int NOT_FOUND = 5;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int UNIMPLEMENTED = 12;
  private static final int INTERNAL = 13;
  private static final int UNAVAILABLE = 14;
  private static final int UNAUTHENTICATED = 16;

  /**
   * Taken, but for so many points.
   *
   * @param problem of the first; empty without any
   */
  static OtlpAnswer taken(String type, long rejected, String problem) {
    String message = shortened(problem);
    Result result = rejected > 0 ? Result.PARTLY_TAKEN : Result.TAKEN;
    if (type.equals(JSON)) {
      JsonObject answer = new JsonObject();
      if (rejected > 0) {
        answer.put(
            "partialSuccess",
            new JsonObject()
                .put("rejectedDataPoints", String.valueOf(rejected))
                .put("errorMessage", message));
      }
      return new OtlpAnswer(result, 200, OK, message, type, bytes(answer));
    }
    WireWriter writer = new WireWriter(HeapClaim.unbounded());
    if (rejected > 0) {
      int start = writer.begin(1);
      writer.tag(1, WireReader.VARINT);
      writer.varint(rejected);
      writer.tag(2, WireReader.BYTES);
      writer.sized(message.getBytes(StandardCharsets.UTF_8));
      writer.end(start);
    }
    return new OtlpAnswer(result, 200, OK, message, type, writer.copy());
  }

  /** Nothing of it was taken. */
  static OtlpAnswer refused(String type, Result result, int status, String problem) {
    int code =
        switch (status) {
          case 401 -> UNAUTHENTICATED;
          case 404 -> NOT_FOUND;
          case 413 -> RESOURCE_EXHAUSTED;
          case 500 -> INTERNAL;
          case 501 -> UNIMPLEMENTED;
          case 503 -> UNAVAILABLE;
          default -> INVALID_ARGUMENT;
        };
    String message = shortened(problem);
    if (!type.equals(PROTOBUF)) {
      JsonObject answer = new JsonObject().put("code", code).put("message", message);
      return new OtlpAnswer(result, status, code, message, JSON, bytes(answer));
    }
    WireWriter writer = new WireWriter(HeapClaim.unbounded());
    writer.tag(1, WireReader.VARINT);
    writer.varint(code);
    writer.tag(2, WireReader.BYTES);
    writer.sized(message.getBytes(StandardCharsets.UTF_8));
    return new OtlpAnswer(result, status, code, message, type, writer.copy());
  }

  /** Its headers in HTTP, in lower case, as HTTP/2 wants them. */
  Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("content-type", type);
    headers.put("x-content-type-options", "nosniff");
    switch (status) {
      case 401 -> headers.put("www-authenticate", "Bearer realm=\"hdr-sidecar\"");
      case 405 -> headers.put("allow", "POST");
      case 503 -> headers.put("retry-after", RETRY_SECONDS);
      default -> {}
    }
    return headers;
  }

  private static byte[] bytes(JsonObject json) {
    return json.encode().getBytes(StandardCharsets.UTF_8);
  }

  private static String shortened(String text) {
    return text.length() <= MOST_MESSAGE ? text : text.substring(0, MOST_MESSAGE) + "...";
  }
}
