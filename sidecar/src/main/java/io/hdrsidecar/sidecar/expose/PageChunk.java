package io.hdrsidecar.sidecar.expose;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * A part of a page.
 *
 * @param buffers its bytes, one behind the other; not to be changed
 * @param after where the page goes on
 * @param last whether it ends here
 */
public record PageChunk(List<Buffer> buffers, PagePlace after, boolean last) {
  /** Keeps the list unchanged. */
  public PageChunk {
    buffers = List.copyOf(buffers);
  }
}
