package io.hdrsidecar.sidecar.query;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;

/**
 * A successful answer.
 *
 * @param contentType of the body
 * @param body as it is sent
 * @param headers more that are sent before it; a name may come several times
 */
public record Answer(String contentType, Buffer body, List<Map.Entry<String, String>> headers) {
  /** Takes a copy of the headers. */
  public Answer {
    headers = List.copyOf(headers);
  }

  /** Without further headers. */
  public Answer(String contentType, Buffer body) {
    this(contentType, body, List.of());
  }
}
