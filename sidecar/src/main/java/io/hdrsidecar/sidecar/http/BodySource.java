package io.hdrsidecar.sidecar.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;

/** Where the body of a request comes from, whatever carries it. Event loop of the request only. */
public interface BodySource {
  /**
   * Begins to read.
   *
   * @param piece gets what comes, which is its own only until it returns
   * @param end called when the body is whole
   * @param broken called when it never will be: with a HttpClosedException when nobody sends any
   *     more, and with what is wrong when it is no body
   */
  void read(Handler<Buffer> piece, Runnable end, Handler<Throwable> broken);

  /** Ends what goes on sending after it was refused. */
  void cut();
}
