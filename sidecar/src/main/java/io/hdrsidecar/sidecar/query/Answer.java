package io.hdrsidecar.sidecar.query;

import io.vertx.core.buffer.Buffer;
import java.util.Map;

/**
 * A successful answer.
 *
 * @param contentType of the body
 * @param body as it is sent
 * @param headers more that are sent before it
 */
public record Answer(String contentType, Buffer body, Map<String, String> headers) {
  /** Takes a copy of the headers. */
  public Answer {
    headers = Map.copyOf(headers);
  }

  /** Without further headers. */
  public Answer(String contentType, Buffer body) {
    this(contentType, body, Map.of());
  }
}
