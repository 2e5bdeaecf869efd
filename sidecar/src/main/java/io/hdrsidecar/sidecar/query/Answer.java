package io.hdrsidecar.sidecar.query;

import io.vertx.core.buffer.Buffer;

/**
 * A successful answer.
 *
 * @param contentType of the body
 * @param body as it is sent
 */
public record Answer(String contentType, Buffer body) {}
