package io.hdrsidecar.sidecar.merge;

/**
 * A reader's request that the writer make the copy. The writer fills {@link #copy} and then says
 * {@link #done}, a volatile store that the reader's {@link #isDone} pairs with. A reader that has
 * succeeded by itself meanwhile just forgets the request.
 */
final class ReadRequest {
  private final SeriesCopy copy;
  private volatile boolean done;

  ReadRequest(SeriesCopy copy) {
    this.copy = copy;
  }

  SeriesCopy copy() {
    return copy;
  }

  void done() {
    done = true;
  }

  boolean isDone() {
    return done;
  }
}
