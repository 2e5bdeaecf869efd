package io.hdrsidecar.sidecar.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.index.IndexFile;
import io.hdrsidecar.sidecar.index.JournalPastSource;
import io.hdrsidecar.sidecar.journal.JournalDirectory.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that are taken in on one thread while another deletes them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JournalPastTest {
  @TempDir Path folder = Path.of("set by JUnit");

  private static Set<Thread> indexing() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().equals("hdr-sidecar-journal-index"))
        .collect(Collectors.toSet());
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("within 30 s").isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  private Entry onlyFile() throws IOException {
    try (JournaledStore store =
        JournaledStore.readable(
            JournaledStore.config(folder, 64 << 20, 1 << 30, JournalConfig.Degrade.MEMORY))) {
      store.merge("checkout", 1, 5);
      store.awaitDurable();
    }
    try (JournalDirectory directory = new JournalDirectory(folder)) {
      List<Entry> entries = directory.intervals();
      assertThat(entries).hasSize(1);
      return entries.get(0);
    }
  }

  /** The indexing thread is held where it has read the index and not added the file yet. */
  @Test
  void takeIn_fileIsDeletedBetweenReadingAndAdding_isForgottenWithItsIndex() throws IOException {
    Entry entry = onlyFile();
    Set<Thread> others = indexing();
    try (JournalDirectory directory = new JournalDirectory(folder);
        JournalPast past = new JournalPast(10, 1 << 20)) {
      JournalPastSource files = past.files();
      synchronized (files) {
        past.start(directory);
        Set<Thread> started = indexing();
        started.removeAll(others);
        assertThat(started).hasSize(1);
        Thread thread = started.iterator().next();
        await(() -> thread.getState() == Thread.State.BLOCKED);
        Files.delete(entry.path());
        past.deleted(entry);
      }

      await(() -> !Files.exists(IndexFile.beside(entry.path())));
      try (PastReading reading = files.open(0, Long.MAX_VALUE)) {
        assertThat(reading.warnings()).isEmpty();
        assertThat(reading.series()).isEmpty();
      }
      assertThat(files.extent()).isEqualTo(HistoryExtent.EMPTY);
    }
  }
}
