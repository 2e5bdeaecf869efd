package io.hdrsidecar.sidecar.merge;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets any thread copy out of a series while the merge context writes to it. A read is a copy taken
 * under a {@link SequenceLock}: as of one moment between two intervals, never of the middle of one.
 * A reader that keeps losing against a busy writer leaves a request, and the writer makes the copy
 * itself after its next interval; so readers always come to an end, and the writer never waits.
 */
final class SeriesReads {
  private static final int ATTEMPTS_ALONE = 16;

  /**
   * The writer fills the copy and then says that it is done, a volatile store. A reader that has
   * succeeded by itself meanwhile just forgets the request.
   */
  private static final class Request {
    private final SeriesCopy copy;
    private volatile boolean done;

    private Request(SeriesCopy copy) {
      this.copy = copy;
    }
  }

  private final SequenceLock lock;
  private final Consumer<SeriesCopy> copying;
  private final AtomicReference<@Nullable Request> request = new AtomicReference<>();

  /**
   * Reads of one series.
   *
   * @param lock under which it is written
   * @param copying lets one take what the series has at this moment
   */
  SeriesReads(SequenceLock lock, Consumer<SeriesCopy> copying) {
    this.lock = lock;
    this.copying = copying;
  }

  /** Any thread: lets it copy until it has a whole one. */
  void read(SeriesCopy into) {
    for (int attempt = 0; attempt < ATTEMPTS_ALONE; attempt++) {
      if (tryRead(into)) {
        return;
      }
      Thread.onSpinWait();
    }
    readWithHelp(into);
  }

  private boolean tryRead(SeriesCopy into) {
    long version = lock.beginRead();
    if (SequenceLock.isWriting(version)) {
      return false;
    }
    try {
      copying.accept(into);
    } catch (RuntimeException torn) {
      // Counts that changed under the copy may be contradictory in any way; others must not be.
      if (lock.isUnchangedSince(version)) {
        throw torn;
      }
      return false;
    }
    return lock.isUnchangedSince(version);
  }

  private void readWithHelp(SeriesCopy into) {
    Request mine = new Request(into.another());
    boolean placed = false;
    while (!mine.done) {
      placed = placed || request.compareAndSet(null, mine);
      if (tryRead(into)) {
        request.compareAndSet(mine, null);
        return;
      }
      Thread.onSpinWait();
    }
    into.takeOver(mine.copy);
  }

  /** The writer, outside of what it writes: makes the copy that a reader has asked for. */
  void serve() {
    Request waiting = request.getOpaque();
    if (waiting != null && request.compareAndSet(waiting, null)) {
      copying.accept(waiting.copy);
      waiting.done = true;
    }
  }
}
