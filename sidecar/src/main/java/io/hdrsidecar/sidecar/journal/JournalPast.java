package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.sidecar.index.IndexFile;
import io.hdrsidecar.sidecar.index.JournalIndexer;
import io.hdrsidecar.sidecar.index.JournalPastSource;
import io.hdrsidecar.sidecar.index.SharedIndex;
import io.hdrsidecar.sidecar.journal.JournalDirectory.Entry;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the files of the journal readable for queries: the writer tells what it writes, and gives
 * each file its index when it is complete; a thread of its own opens the indexes of the files that
 * were there at start, the newest first, and makes those again that are missing, damaged or stale.
 *
 * <p>An index is never worth the journal: where it cannot be written, as on a full disk, the
 * journal goes on, and the file is tried again later.
 */
final class JournalPast implements AutoCloseable {
  private static final Logger LOG = System.getLogger(JournalPast.class.getName());
  private static final long RETRY_SECONDS = 60;
  private static final long CLOSE_MILLIS = 5_000;
  private static final Comparator<Entry> NEWEST_FIRST =
      Comparator.comparingLong(Entry::firstRecord).thenComparing(Entry::path).reversed();

  private final JournalPastSource files;
  private final PriorityBlockingQueue<Entry> waiting =
      new PriorityBlockingQueue<>(16, NEWEST_FIRST);
  private final PriorityBlockingQueue<Entry> failed = new PriorityBlockingQueue<>(16, NEWEST_FIRST);
  private @Nullable Thread thread;
  private @Nullable Entry active;
  private SharedIndex index = new SharedIndex();
  private boolean spoilt;

  /**
   * Nothing to read yet.
   *
   * @param maxSeries most series that selectors find
   * @param maxBytes most memory of their names and labels
   */
  JournalPast(int maxSeries, long maxBytes) {
    files = new JournalPastSource(maxSeries, maxBytes);
  }

  /** The files that queries read. */
  JournalPastSource files() {
    return files;
  }

  /** Begins to take in the files that are there. Before the writer begins one. */
  void start(JournalDirectory directory) {
    try {
      directory.intervals().forEach(this::enqueue);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "event=journal_index_failed cause={0} cannot list the journal", e);
    }
    Thread indexing = new Thread(this::run, "hdr-sidecar-journal-index");
    indexing.setDaemon(true);
    thread = indexing;
    indexing.start();
  }

  private void enqueue(Entry entry) {
    files.addWithoutIndex(
        entry.path(), entry.firstRecord(), Instant.ofEpochMilli(entry.createdMillis()));
    waiting.add(entry);
  }

  private void run() {
    try {
      while (true) {
        Entry entry = waiting.poll(RETRY_SECONDS, TimeUnit.SECONDS);
        if (entry == null) {
          failed.drainTo(waiting);
        } else if (!takeIn(entry)) {
          failed.add(entry);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The journal ends.
    }
  }

  /** Whether there is nothing more to do about this file. */
  private boolean takeIn(Entry entry) {
    try {
      files.add(entry.path(), entry.firstRecord(), openOrMake(entry.path()));
      forgetIfDeleted(entry);
      return true;
    } catch (IOException | RuntimeException e) {
      if (forgetIfDeleted(entry)) {
        return true;
      }
      if (!Thread.currentThread().isInterrupted()) {
        warn(entry, e);
      }
      return false;
    }
  }

  /**
   * Whether the file is gone by now. Retention, on another thread, deletes log and index and says
   * so afterwards; what was added or written here in between nobody else takes back.
   */
  private boolean forgetIfDeleted(Entry entry) {
    if (Files.exists(entry.path())) {
      return false;
    }
    files.remove(entry.path(), entry.firstRecord());
    try {
      Files.deleteIfExists(IndexFile.beside(entry.path()));
    } catch (IOException e) {
      warn(entry, e); // The next start deletes it.
    }
    return true;
  }

  private static void warn(Entry entry, Throwable cause) {
    LOG.log(
        Level.WARNING,
        "event=journal_index_failed file={0} cause={1} it will be tried again",
        entry.path(),
        cause);
  }

  private static IndexFile openOrMake(Path log) throws IOException {
    try {
      return IndexFile.open(log);
    } catch (IOException | RuntimeException e) {
      long start = System.nanoTime();
      IndexFile made = IndexFile.write(JournalIndexer.of(log), log);
      LOG.log(
          Level.INFO,
          "event=journal_indexed file={0} intervals={1} took_ms={2} reason={3}",
          log,
          String.valueOf(made.lines()),
          String.valueOf((System.nanoTime() - start) / 1_000_000),
          e.toString());
      return made;
    }
  }

  /** Writer thread: begins a file. */
  void begin(Path path, long firstRecord, Instant now) {
    active = new Entry(path, false, firstRecord, now.toEpochMilli());
    index = new SharedIndex();
    spoilt = false;
    files.addActive(path, firstRecord, index);
  }

  /** Writer thread: these lines are flushed. */
  void flushed(UnflushedLines lines) {
    Entry entry = active;
    if (entry == null || spoilt) {
      lines.clear();
      return;
    }
    try {
      index.add(lines::moveTo);
    } catch (RuntimeException e) {
      // What is flushed is flushed: the index of this file is made from the file, when it ends.
      warn(entry, e);
      spoilt = true;
      lines.clear();
      files.addWithoutIndex(
          entry.path(), entry.firstRecord(), Instant.ofEpochMilli(entry.createdMillis()));
    }
  }

  /** Writer thread: the file is complete, as long as the index says or cut back to that. */
  void complete() {
    if (spoilt) {
      uncertain();
      return;
    }
    Entry entry = active;
    active = null;
    if (entry == null) {
      return;
    }
    try {
      IndexFile written = IndexFile.write(index.complete(), entry.path());
      files.add(entry.path(), entry.firstRecord(), written);
    } catch (IOException | RuntimeException e) {
      warn(entry, e);
      files.addWithoutIndex(
          entry.path(), entry.firstRecord(), Instant.ofEpochMilli(entry.createdMillis()));
      failed.add(entry);
    }
    index = new SharedIndex();
  }

  /** Writer thread: what is in the file has to be looked up, as it could not be cut back. */
  void uncertain() {
    Entry entry = active;
    active = null;
    if (entry != null) {
      enqueue(entry);
    }
  }

  /** Writer thread: the file being written was deleted, as nothing was in it. */
  void dropped() {
    Entry entry = active;
    active = null;
    if (entry != null) {
      files.remove(entry.path(), entry.firstRecord());
    }
  }

  /** Writer thread: a file was deleted, for its age or the size of all. */
  void deleted(Entry entry) {
    files.remove(entry.path(), entry.firstRecord());
  }

  @Override
  public void close() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
      try {
        running.join(CLOSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
