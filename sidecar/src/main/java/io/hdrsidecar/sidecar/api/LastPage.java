package io.hdrsidecar.sidecar.api;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/** Tells when a page that was asked for after a certain moment has been sent. Any thread. */
final class LastPage {
  private record Wait(long sinceNanos, Promise<Void> sent) {}

  private volatile @Nullable Wait waiting;

  /** Completes when the next page that is asked for has been sent as a whole. */
  Future<Void> next() {
    Wait wait = new Wait(System.nanoTime(), Promise.promise());
    waiting = wait;
    return wait.sent().future();
  }

  /**
   * A page was sent.
   *
   * @param askedNanos when it was asked for, by {@link System#nanoTime}
   */
  void sent(long askedNanos) {
    Wait wait = waiting;
    if (wait != null && askedNanos - wait.sinceNanos() >= 0) {
      wait.sent().tryComplete();
    }
  }
}
