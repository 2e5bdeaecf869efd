package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.expose.Exposition;
import io.hdrsidecar.sidecar.expose.PageFormat;
import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The pages being sent. A scraper that asks while a page of the same format is being written waits
 * for the next one and shares it with all others that wait, so any number of scrapes of one moment
 * cost one page, or two. A page whose readers have all stopped reading keeps nobody waiting. Each
 * page has its bytes admitted before it begins; where they are short, the scraper that has read
 * nothing for longest makes room. Event loop of the server only.
 */
final class ScrapePages {
  /** Two pieces on their way for the slowest, one for the fastest, and one being compressed. */
  static final long PAGE_BYTES = 5 * 64 * 1024;

  /** After which a page that nobody reads lets the next one begin. */
  private static final long STALL_MILLIS = 100;

  /** After which a scraper that reads nothing may have to make room. */
  private static final long EVICTED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Vertx vertx;
  private final Exposition exposition;
  private final WorkerExecutor worker;
  private final HeapShare share;
  private final LongAdder tooSlow;
  private final Map<PageFormat, ScrapePage> gathering = new HashMap<>();
  private final Map<PageFormat, ScrapePage> leading = new HashMap<>();
  private final Set<ScrapePage> pages = new LinkedHashSet<>();

  ScrapePages(
      Vertx vertx,
      Exposition exposition,
      WorkerExecutor worker,
      HeapShare share,
      MetricRegistry registry) {
    this.vertx = vertx;
    this.exposition = exposition;
    this.worker = worker;
    this.share = share;
    this.tooSlow =
        registry.counter(
            "scrape.cut", "Scrapes that were cut because their page was read too slowly");
  }

  Exposition exposition() {
    return exposition;
  }

  WorkerExecutor worker() {
    return worker;
  }

  /**
   * Sends a page of the series as of now.
   *
   * @return completes when it was sent; fails when it was not, with nothing sent in case of an
   *     ApiException
   */
  Future<Void> send(PageFormat format, HttpServerRequest request) {
    ScrapePage page = gathering.get(format);
    if (page == null) {
      HeapClaim claim = claim();
      if (claim == null) {
        return Future.failedFuture(
            new ApiException(
                503,
                "unavailable",
                "too many scrapes at once for the heap: all "
                    + share.maxBytes()
                    + " bytes for pages are being sent"));
      }
      page = new ScrapePage(this, format, claim);
      pages.add(page);
      gathering.put(format, page);
    }
    ScrapeReader reader = new ScrapeReader(request, page);
    page.add(reader);
    beginNext(format);
    return reader.done();
  }

  /** A page that goes on from where readers are who cannot keep up with the others of theirs. */
  boolean goOnApart(List<ScrapeReader> readers, PageFormat format, ScrapePage.LinkedChunk from) {
    HeapClaim claim = claim();
    if (claim == null) {
      return false;
    }
    ScrapePage.LinkedChunk last = from.alone();
    ScrapePage page = new ScrapePage(this, format, last, claim);
    pages.add(page);
    readers.forEach(reader -> reader.moveTo(page, last));
    return true;
  }

  /**
   * Memory for a page, if need be that of a scraper that reads nothing; null when there is none.
   */
  private @Nullable HeapClaim claim() {
    HeapClaim claim = share.claim();
    while (!claim.tryGrow(PAGE_BYTES)) {
      if (!makeRoom()) {
        claim.close();
        return null;
      }
    }
    return claim;
  }

  /** Cuts off the readers of the page that has stood still for longest, if one has. */
  boolean makeRoom() {
    ScrapePage longest = null;
    for (ScrapePage page : pages) {
      if (page.stillNanos() > EVICTED_NANOS
          && (longest == null || page.stillNanos() > longest.stillNanos())) {
        longest = page;
      }
    }
    if (longest == null) {
      return false;
    }
    List.copyOf(longest.readers()).forEach(this::cut);
    return true;
  }

  /** Runs a task on the event loop once what runs there now has ended. */
  void later(Runnable task) {
    vertx.runOnContext(now -> task.run());
  }

  void after(long nanos, Runnable task) {
    long millis = TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanos)) + 1;
    vertx.setTimer(millis, timer -> task.run());
  }

  /** Cuts off who reads too slowly; to be called about once a second. */
  void sweep() {
    for (ScrapePage page : List.copyOf(pages)) {
      List.copyOf(page.readers()).stream().filter(ScrapeReader::isTooSlow).forEach(this::cut);
    }
  }

  void cut(ScrapeReader reader) {
    tooSlow.increment();
    reader.cut();
  }

  /** Begins the page that waits, unless one of its format is being written for those who read. */
  private void beginNext(PageFormat format) {
    ScrapePage before = leading.get(format);
    if (before != null && before.isBusy()) {
      return;
    }
    ScrapePage next = gathering.remove(format);
    if (next != null) {
      leading.put(format, next);
      next.begin();
    } else {
      leading.remove(format);
    }
  }

  /** A page has nobody who wants more of it now. */
  void stalled(ScrapePage page) {
    vertx.setTimer(
        STALL_MILLIS,
        timer -> {
          if (leading.get(page.format()) == page && !page.isWriting()) {
            page.letNextBegin();
            beginNext(page.format());
          }
        });
  }

  /** Nobody reads a page any more. */
  void ended(ScrapePage page) {
    pages.remove(page);
    gathering.remove(page.format(), page);
    if (leading.get(page.format()) == page) {
      beginNext(page.format());
    }
  }
}
