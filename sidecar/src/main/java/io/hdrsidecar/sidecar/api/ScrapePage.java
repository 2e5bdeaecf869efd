package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.expose.PageChunk;
import io.hdrsidecar.sidecar.expose.PageFormat;
import io.hdrsidecar.sidecar.expose.PagePlace;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.vertx.core.AsyncResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A page that one or more readers are being sent. It is written a piece at a time, when one of them
 * has room for it, and kept until the slowest has it. A slower reader is waited for, two seconds a
 * page in all, and then goes on by itself. Event loop of the server only.
 */
final class ScrapePage {
  /** So many pieces who is slowest may be behind who is fastest. */
  private static final long MOST_BEHIND = 2;

  /** A piece of the page, and the one behind it once it is written. */
  static final class LinkedChunk {
    private final PageChunk chunk;
    private final long number;
    private @Nullable LinkedChunk next;

    LinkedChunk(PageChunk chunk, long number) {
      this.chunk = chunk;
      this.number = number;
    }

    /** The same with nothing behind it. */
    LinkedChunk alone() {
      return new LinkedChunk(chunk, 0);
    }

    PageChunk chunk() {
      return chunk;
    }

    @Nullable LinkedChunk next() {
      return next;
    }
  }

  private final ScrapePages pages;
  private final PageFormat format;
  private final HeapClaim claim;
  private final List<ScrapeReader> readers = new ArrayList<>();
  private @Nullable PagePlace place;
  private @Nullable LinkedChunk newest;
  private long written;
  private boolean begun;
  private boolean writing;
  private boolean yielding;
  private boolean whole;
  private long patienceNanos = TimeUnit.SECONDS.toNanos(2);
  private long waitingSinceNanos;

  /** A page that is begun when nobody else's is being written. */
  ScrapePage(ScrapePages pages, PageFormat format, HeapClaim claim) {
    this.pages = pages;
    this.format = format;
    this.claim = claim;
  }

  /** A page whose beginning was sent. */
  ScrapePage(ScrapePages pages, PageFormat format, LinkedChunk from, HeapClaim claim) {
    this(pages, format, claim);
    this.place = from.chunk().after();
    this.newest = from;
    this.begun = true;
  }

  PageFormat format() {
    return format;
  }

  List<ScrapeReader> readers() {
    return readers;
  }

  void add(ScrapeReader reader) {
    readers.add(reader);
  }

  /** Whether others should wait: it is being written, or its readers will soon want more. */
  boolean isBusy() {
    return begun && !whole && !yielding;
  }

  boolean isWriting() {
    return writing;
  }

  void letNextBegin() {
    yielding = true;
  }

  /** How long each of its readers has read nothing; 0 while one reads, or waits for us. */
  long stillNanos() {
    return writing ? 0 : readers.stream().mapToLong(ScrapeReader::stillNanos).min().orElse(0);
  }

  void begin() {
    begun = true;
    want();
  }

  /** A reader has room for a piece that is not there yet. */
  void want() {
    if (!begun || writing || whole || isWaitingForSlower()) {
      return;
    }
    writing = true;
    PagePlace from = place;
    pages
        .worker()
        .executeBlocking(
            () -> pages.exposition().write(from == null ? pages.exposition().begin(format) : from),
            false)
        .onComplete(written -> pages.later(() -> goOn(written)));
  }

  /** Never within {@link #want}: a piece that is there at once would overtake the one before. */
  private void goOn(AsyncResult<PageChunk> piece) {
    if (piece.succeeded()) {
      append(piece.result());
    } else {
      fail(piece.cause());
    }
  }

  /**
   * A slower reader is waited for, as long as the page has patience left; then it is left behind.
   */
  private boolean isWaitingForSlower() {
    List<ScrapeReader> slower = readers.stream().filter(this::isFarBehind).toList();
    if (slower.size() == readers.size()) {
      waitingSinceNanos = 0;
      return true; // The faster ones have gone: nobody waits for anybody.
    }
    if (slower.isEmpty()) {
      if (waitingSinceNanos != 0) {
        patienceNanos -= System.nanoTime() - waitingSinceNanos;
        waitingSinceNanos = 0;
      }
      return false;
    }
    if (waitingSinceNanos == 0) {
      waitingSinceNanos = System.nanoTime();
      pages.after(patienceNanos, this::want);
    }
    if (System.nanoTime() - waitingSinceNanos < patienceNanos) {
      return true;
    }
    leaveBehind(slower);
    return false;
  }

  /** A reader has got on, for which the others may have waited. */
  void caughtUp() {
    if (waitingSinceNanos != 0) {
      want();
    }
  }

  private boolean isFarBehind(ScrapeReader reader) {
    LinkedChunk at = reader.at();
    return at != null && written - at.number >= MOST_BEHIND;
  }

  /** They go on by themselves, those together who are at the same place. */
  private void leaveBehind(List<ScrapeReader> slower) {
    slower.stream()
        .collect(Collectors.groupingBy(reader -> Objects.requireNonNull(reader.at())))
        .forEach(
            (at, group) -> {
              group.forEach(readers::remove);
              if (!pages.goOnApart(group, format, at)) {
                group.forEach(pages::cut);
              }
            });
  }

  private void append(PageChunk chunk) {
    writing = false;
    if (readers.isEmpty()) {
      return;
    }
    place = chunk.after();
    whole = chunk.last();
    LinkedChunk link = new LinkedChunk(chunk, ++written);
    LinkedChunk before = newest;
    newest = link;
    if (before != null) {
      before.next = link;
    }
    List.copyOf(readers).forEach(reader -> reader.offer(link));
    if (!writing) {
      pages.stalled(this);
    }
  }

  private void fail(Throwable cause) {
    writing = false;
    List.copyOf(readers).forEach(reader -> reader.fail(cause));
  }

  /** A scraper that has all, or has gone. */
  void remove(ScrapeReader reader) {
    boolean was = readers.remove(reader);
    if (was && !readers.isEmpty()) {
      caughtUp();
    } else if (was) {
      whole = true;
      claim.close();
      pages.ended(this);
    }
  }
}
