package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.api.HttpServerVerticle;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The scrape that the end of a sidecar waits for, so that what came last is seen. */
final class LastScrape {
  private static final Logger LOG = System.getLogger(LastScrape.class.getName());

  private LastScrape() {}

  /** Waits for it, so many nanoseconds at most, and says whether it came. */
  static void await(HttpServerVerticle httpServer, long nanos) {
    try {
      httpServer
          .nextScrape()
          .toCompletionStage()
          .toCompletableFuture()
          .get(nanos, TimeUnit.NANOSECONDS);
      LOG.log(Level.INFO, "event=last_scrape");
    } catch (TimeoutException e) {
      LOG.log(Level.WARNING, "event=no_last_scrape waited=drain");
    } catch (ExecutionException e) {
      LOG.log(Level.WARNING, "event=no_last_scrape", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
