package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Waits for the journal, before a request is merged and after it. Nobody may be told that a request
 * is taken before it is in the journal. One that is refused comes again, and its delta points would
 * count again; so it is not merged when the journal cannot be written already.
 *
 * <p>Event loop of the server, but for what runs on the merge context. Each wait leaves a task at
 * the journal until that is written. Once a wait took too long no other begins before it is over,
 * so no more of them come together than requests within that time.
 */
final class JournaledRequests {
  /** Twice this is less than the 10 s that exporters wait. */
  private static final long WAIT_SECONDS = 4;

  private final SeriesStore store;
  private final Executor mergeContext;

  /** Waits that took too long and are not over. */
  private final AtomicInteger overdue = new AtomicInteger();

  JournaledRequests(SeriesStore store, Executor mergeContext) {
    this.store = store;
    this.mergeContext = mergeContext;
  }

  /** Completes when all that was merged by now is in the journal; fails if that takes too long. */
  Future<Void> beforeMerge(Vertx vertx) {
    String otherwise = "nothing of the request is taken";
    return overdue.get() > 0 ? Future.failedFuture(late(otherwise)) : written(vertx, otherwise);
  }

  /** The same for what was merged of a request. */
  Future<Void> afterMerge(Vertx vertx) {
    return written(vertx, "the request is merged, but a restart may lose it");
  }

  private Future<Void> written(Vertx vertx, String otherwise) {
    Context context = vertx.getOrCreateContext();
    Promise<Void> written = Promise.promise();
    long timer =
        vertx.setTimer(
            TimeUnit.SECONDS.toMillis(WAIT_SECONDS),
            id -> {
              if (written.tryFail(late(otherwise))) {
                overdue.incrementAndGet();
              }
            });
    mergeContext.execute(
        () -> store.log().whenDurable(() -> context.runOnContext(back -> over(written))));
    return written.future().onComplete(done -> vertx.cancelTimer(timer));
  }

  private void over(Promise<Void> written) {
    if (!written.tryComplete()) {
      overdue.decrementAndGet();
    }
  }

  private static ApiException late(String otherwise) {
    return new ApiException(
        503, "unavailable", "the journal could not be written in time: " + otherwise);
  }
}
