package io.hdrsidecar.sidecar.http;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;

/**
 * Tells whether an event loop has read what came together with a new connection. Time does not: a
 * loop that has had no processor for a second has read nothing meanwhile. Between two tasks of its
 * timer it reads what is there, so two of them are enough. That event loop only.
 */
final class ReadTurns {
  private static final int ENOUGH = 2;
  private static final long MILLIS = 1;

  private int toCome = ENOUGH;

  ReadTurns(EventLoop loop) {
    next(loop);
  }

  private void next(EventLoop loop) {
    loop.schedule(() -> {}, MILLIS, TimeUnit.MILLISECONDS).addListener(done -> ended(loop));
  }

  private void ended(EventLoop loop) {
    if (--toCome > 0 && !loop.isShuttingDown()) {
      next(loop);
    }
  }

  boolean areOver() {
    return toCome <= 0;
  }
}
