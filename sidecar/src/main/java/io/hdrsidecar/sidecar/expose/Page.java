package io.hdrsidecar.sidecar.expose;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * The answer to a scrape.
 *
 * @param chunks as they are sent, one behind the other
 * @param contentType format and version
 * @param gzipped whether the chunks are compressed
 */
public record Page(List<Buffer> chunks, String contentType, boolean gzipped) {
  /** Keeps the list unchanged. */
  public Page {
    chunks = List.copyOf(chunks);
  }

  /** Bytes in all. */
  public int length() {
    return chunks.stream().mapToInt(Buffer::length).sum();
  }

  /** All in one; a copy. */
  public Buffer body() {
    Buffer body = Buffer.buffer(length());
    chunks.forEach(body::appendBuffer);
    return body;
  }
}
