package io.hdrsidecar.benchmarks.scrape;

import io.hdrsidecar.sidecar.expose.Exposition;
import io.hdrsidecar.sidecar.expose.PageChunk;
import io.hdrsidecar.sidecar.expose.PagePlace;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A page written from front to back, as for a scraper that takes each piece at once. */
final class WholePage {
  private final List<Buffer> pieces = new ArrayList<>();

  /** Writes it, not compressed, in the form that this value of {@code Accept} asks for. */
  WholePage(Exposition exposition, String accept) throws IOException {
    PagePlace place = exposition.begin(exposition.format(accept, false));
    PageChunk piece;
    do {
      piece = exposition.write(place);
      pieces.addAll(piece.buffers());
      place = piece.after();
    } while (!piece.last());
  }

  /** In bytes. */
  int length() {
    return pieces.stream().mapToInt(Buffer::length).sum();
  }

  /** All pieces, one behind the other; a copy. */
  byte[] bytes() {
    Buffer all = Buffer.buffer(length());
    pieces.forEach(all::appendBuffer);
    return all.getBytes();
  }
}
