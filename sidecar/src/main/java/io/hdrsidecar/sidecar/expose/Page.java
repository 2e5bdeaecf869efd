package io.hdrsidecar.sidecar.expose;

import io.vertx.core.buffer.Buffer;

/**
 * The answer to a scrape.
 *
 * @param body as it is sent
 * @param contentType format and version
 * @param gzipped whether the body is compressed
 */
public record Page(Buffer body, String contentType, boolean gzipped) {}
