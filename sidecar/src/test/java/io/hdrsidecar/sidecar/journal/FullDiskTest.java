package io.hdrsidecar.sidecar.journal;

import static io.hdrsidecar.sidecar.journal.JournaledStore.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.journal.JournalConfig.Degrade;
import io.hdrsidecar.sidecar.journal.JournalStatus.State;
import io.hdrsidecar.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real file system that is full or read-only: a small tmpfs, for which the test must be root. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FullDiskTest {
  @RegisterExtension final SmallDisk disk = SmallDisk.of("1m");

  private JournalConfig journal(Degrade degrade) {
    return config(disk.folder().resolve("journal"), 64 << 10, 256 << 10, degrade);
  }

  private static void mergeUntil(JournaledStore store, long from, State wanted) {
    long[] sequence = {from};
    store.eventually(
        () -> {
          store.merge("checkout", sequence[0], sequence[0]++);
          return store.journal().status().state() == wanted;
        });
  }

  @Test
  void append_diskIsFull_memory_goesOnAndIsWholeAgainAfterwards() throws IOException {
    Map<String, String> totals;
    long last;
    try (JournaledStore store = new JournaledStore(journal(Degrade.MEMORY))) {
      store.merge("checkout", 1, 1);
      store.awaitDurable();
      disk.fill();
      mergeUntil(store, 2, State.MEMORY);
      store.awaitDurable(); // from memory
      assertThat(store.journal().status().isReady()).isTrue();
      assertThat(store.journal().status().reason()).contains("No space left");
      assertThat(store.journal().status().unwrittenRecords()).isPositive();

      Files.delete(disk.ballast());
      store.eventually(() -> store.journal().status().state() == State.WRITING);
      assertThat(store.journal().status().unwrittenRecords()).isZero();
      last = store.onMergeThread(() -> store.journal().lastRecord()) + 1;
      store.merge("checkout", last, 3);
      totals = store.totals();
    }
    try (JournaledStore after = new JournaledStore(journal(Degrade.MEMORY))) {
      assertThat(after.totals()).isEqualTo(totals);
      assertThat(after.lastSequence()).isEqualTo(last);
    }
  }

  @Test
  void append_diskIsFull_refuse_acknowledgesNothingUntilThereIsRoom() throws IOException {
    Map<String, String> totals;
    try (JournaledStore store = new JournaledStore(journal(Degrade.REFUSE))) {
      store.merge("checkout", 1, 1);
      store.awaitDurable();
      disk.fill();
      mergeUntil(store, 2, State.REFUSING);
      assertThat(store.journal().status().isReady()).isFalse();
      long durable = store.onMergeThread(() -> store.journal().durableRecord());
      assertThat(durable).isLessThan(store.onMergeThread(() -> store.journal().lastRecord()));

      Files.delete(disk.ballast());
      store.awaitDurable();
      store.eventually(() -> store.journal().status().state() == State.WRITING);
      totals = store.totals();
    }
    try (JournaledStore after = new JournaledStore(journal(Degrade.REFUSE))) {
      assertThat(after.totals()).isEqualTo(totals);
      assertThat(after.recovery().missing()).isZero();
    }
  }

  @Test
  void append_refusedForLong_isFullAndBounded() throws IOException {
    try (JournaledStore store = new JournaledStore(journal(Degrade.REFUSE))) {
      disk.fill();
      mergeUntil(store, 1, State.REFUSING);
      long[] sequence = {store.onMergeThread(() -> store.journal().lastRecord())};
      store.eventually(
          () -> {
            store.merge("checkout", ++sequence[0], sequence[0]);
            return store.onMergeThread(() -> store.journal().isFull());
          });
      assertThat(store.journal().status().queuedBytes()).isBetween(4L << 20, 5L << 20);
      Files.delete(disk.ballast());
    }
  }

  @Test
  void open_readOnly_servesDegradedAndRecovers() throws Exception {
    disk.remount("ro");
    try (JournaledStore store = new JournaledStore(journal(Degrade.MEMORY))) {
      store.merge("checkout", 1, 1);
      store.eventually(() -> store.journal().status().state() == State.MEMORY);
      store.awaitDurable();

      disk.remount("rw");
      store.eventually(() -> store.journal().status().state() == State.WRITING);
    }
    try (JournaledStore after = new JournaledStore(journal(Degrade.MEMORY))) {
      assertThat(after.totals()).hasSize(1);
      assertThat(after.lastSequence()).isEqualTo(1);
    }
  }
}
