package io.hdrsidecar.tests.support;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Prometheus that scrapes all the time and has little patience. */
public final class ScrapeLoop implements AutoCloseable {
  /**
   * What it met.
   *
   * @param scrapes pages read
   * @param slowestMillis the longest time for one, from asking to the last byte
   * @param peakHeapBytes the largest heap any page told of, garbage included
   */
  public record Result(long scrapes, long slowestMillis, long peakHeapBytes) {}

  private static final long PAUSE_NANOS = 20_000_000;
  private static final Pattern HEAP =
      Pattern.compile("\nhdr_sidecar_jvm_memory_used_bytes\\{area=\"heap\",[^}]*} (\\S+)");

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Future<Result> result;
  private volatile boolean ending;

  /**
   * Starts, after one page that may take its time: a JVM's first.
   *
   * @param patience what each further page may take
   */
  public ScrapeLoop(SidecarProcess sidecar, Duration patience)
      throws IOException, InterruptedException {
    sidecar.metrics();
    result = thread.submit(() -> scrape(sidecar, patience));
  }

  private Result scrape(SidecarProcess sidecar, Duration patience) throws Exception {
    long scrapes = 0;
    long slowestNanos = 0;
    double peakHeap = 0;
    while (!ending) {
      long start = System.nanoTime();
      String page = sidecar.metrics(patience);
      slowestNanos = Math.max(slowestNanos, System.nanoTime() - start);
      scrapes++;
      double heap = 0;
      for (Matcher pool = HEAP.matcher(page); pool.find(); ) {
        heap += Double.parseDouble(pool.group(1));
      }
      peakHeap = Math.max(peakHeap, heap);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return new Result(scrapes, TimeUnit.NANOSECONDS.toMillis(slowestNanos), (long) peakHeap);
  }

  /** Ends after the scrape that is under way; fails if one of them failed or took too long. */
  public Result end() throws ExecutionException, InterruptedException {
    ending = true;
    return result.get();
  }

  @Override
  public void close() {
    ending = true;
    thread.shutdownNow();
  }
}
