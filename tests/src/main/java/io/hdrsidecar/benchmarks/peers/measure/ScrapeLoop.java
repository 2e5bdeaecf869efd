package io.hdrsidecar.benchmarks.peers.measure;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Scrapes each second until it is told to end; a scrape that fails is counted. */
public final class ScrapeLoop {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Thread thread;
  private volatile boolean ended;
  private volatile int failed;

  /** Begins at once; does nothing without a scraper. */
  public ScrapeLoop(@Nullable Scraper scraper) {
    this.thread = new Thread(() -> run(scraper), "scrapes");
    thread.setDaemon(true);
    thread.start();
  }

  private void run(@Nullable Scraper scraper) {
    long next = System.nanoTime();
    int failures = 0;
    while (!ended && scraper != null) {
      try {
        scraper.scrape();
      } catch (IOException e) {
        failed = ++failures;
      } catch (InterruptedException e) {
        return;
      }
      next += PERIOD_NANOS;
      for (long now = System.nanoTime(); !ended && now - next < 0; now = System.nanoTime()) {
        LockSupport.parkNanos(next - now);
      }
    }
  }

  /** Scrapes that failed so far. */
  public int failed() {
    return failed;
  }

  /** Waits for a scrape that is under way; nothing the second time. */
  public void end() throws InterruptedException {
    ended = true;
    LockSupport.unpark(thread);
    thread.join();
  }
}
