package io.hdrsidecar.sidecar.expose;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a scrape, whole; a scraper is sent it in pieces.
 *
 * @param chunks as they are sent, one behind the other
 * @param contentType format and version
 * @param gzipped whether the chunks are compressed
 */
record Page(List<Buffer> chunks, String contentType, boolean gzipped) {
  /** Keeps the list unchanged. */
  Page {
    chunks = List.copyOf(chunks);
  }

  /**
   * All pieces, written one after the other.
   *
   * @param accept the request's Accept header, if there is one
   * @param gzip whether the scraper takes a compressed page
   */
  static Page of(Exposition exposition, @Nullable String accept, boolean gzip) throws IOException {
    PageFormat format = exposition.format(accept, gzip);
    List<Buffer> chunks = new ArrayList<>();
    PagePlace place = exposition.begin(format);
    PageChunk chunk;
    do {
      chunk = exposition.write(place);
      chunks.addAll(chunk.buffers());
      place = chunk.after();
    } while (!chunk.last());
    return new Page(chunks, format.contentType(), gzip);
  }

  /** Bytes in all. */
  int length() {
    return chunks.stream().mapToInt(Buffer::length).sum();
  }

  /** All in one; a copy. */
  Buffer body() {
    Buffer body = Buffer.buffer(length());
    chunks.forEach(body::appendBuffer);
    return body;
  }
}
