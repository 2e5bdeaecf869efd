package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The memory of answers to queries, and their askers. One that reads too slowly is cut off; where
 * memory is short, the asker that has read nothing for longest makes room. Event loop of the server
 * only.
 */
final class AnswerMemory {
  /** Somebody who holds memory until he has read what is being sent. */
  interface Reader {
    /** How long he has read nothing of what waits for him; 0 while nothing does. */
    long stillNanos();

    /** Whether he reads so slowly that he is to be cut off anyway; asked about once a second. */
    boolean isTooSlow();

    /** Ends it at once, and gives the memory back. */
    void cut();
  }

  /** After which who reads nothing may have to make room. */
  private static final long EVICTED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final HeapShare share;
  private final ConnectionWatch watch;
  private final BooleanSupplier giver;
  private final Set<Reader> readers = new LinkedHashSet<>();

  /**
   * A room.
   *
   * @param giver gives back what is held for convenience only, and says whether that was anything
   */
  AnswerMemory(HeapShare share, ConnectionWatch watch, BooleanSupplier giver) {
    this.giver = giver;
    this.share = share;
    this.watch = watch;
    watch.sweepAlso(this::sweep);
  }

  /** All that answers may hold together. */
  HeapShare share() {
    return share;
  }

  void add(Reader reader) {
    readers.add(reader);
  }

  void remove(Reader reader) {
    readers.remove(reader);
  }

  /** Gives back what is not needed; else cuts off who has stood still for longest, if one has. */
  boolean makeRoom() {
    if (giver.getAsBoolean()) {
      return true;
    }
    Reader longest = null;
    for (Reader reader : readers) {
      if (reader.stillNanos() > EVICTED_NANOS
          && (longest == null || reader.stillNanos() > longest.stillNanos())) {
        longest = reader;
      }
    }
    if (longest == null) {
      return false;
    }
    cut(longest);
    return true;
  }

  private void sweep() {
    List.copyOf(readers).stream().filter(Reader::isTooSlow).forEach(this::cut);
  }

  private void cut(Reader reader) {
    readers.remove(reader);
    watch.countTooSlow();
    reader.cut();
  }
}
