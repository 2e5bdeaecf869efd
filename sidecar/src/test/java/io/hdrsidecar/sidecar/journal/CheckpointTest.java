package io.hdrsidecar.sidecar.journal;

import static io.hdrsidecar.sidecar.journal.JournaledStore.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.journal.JournalConfig.Degrade;
import io.hdrsidecar.sidecar.support.JournalText;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Totals stay exact when files go, and whatever becomes of a checkpoint. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CheckpointTest {
  private static final int ROTATE = 64 << 10;

  @TempDir Path folder = Path.of("set by JUnit");
  private Map<String, String> totals = Map.of();
  private long sequence;

  private Path journal() {
    return folder.resolve("journal");
  }

  private static JournalConfig small(Path directory) {
    return config(directory, ROTATE, 4 * ROTATE, Degrade.MEMORY);
  }

  private static List<Path> files(Path directory, String prefix) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(f -> f.getFileName().toString().startsWith(prefix)).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Path> checkpoints(Path directory) throws IOException {
    try (JournalDirectory files = new JournalDirectory(directory)) {
      return files.checkpoints().stream().map(JournalDirectory.Entry::path).toList();
    }
  }

  /** Far more than may be kept, so that the first files go; then some records more. */
  @BeforeEach
  void writeMoreThanIsKept() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    try (JournaledStore store = new JournaledStore(small(journal()))) {
      Path first = null;
      while (first == null || Files.exists(first) || sequence < 4000) {
        for (int i = 0; i < 50; i++) {
          sequence++;
          store.merge("s" + sequence % 7, sequence, random.nextLong(1L << 30), sequence);
        }
        store.awaitDurable();
        first = first == null ? files(journal(), "intervals").get(0) : first;
      }
      totals = store.totals();
      assertThat(store.journal().status().fileBytes()).isLessThan(10 * ROTATE);
    }
  }

  private void assertRestored(Path directory) throws IOException {
    try (JournaledStore after = new JournaledStore(small(directory))) {
      assertThat(after.totals()).isEqualTo(totals);
      assertThat(after.lastSequence()).isEqualTo(sequence);
      assertThat(after.recovery().missing()).isZero();
    }
  }

  @Test
  void open_filesWereDropped_totalsAreExact() throws IOException {
    assertThat(checkpoints(journal())).hasSizeBetween(1, 2);
    assertRestored(journal());
    assertRestored(journal());
  }

  @Test
  void open_checkpointWasBeingWritten_isIgnored() throws IOException {
    Path newest = last(checkpoints(journal()));
    Files.copy(newest, newest.resolveSibling("checkpoint-20990101T000000Z-99999999.hlog.tmp"));

    assertRestored(journal());

    assertThat(files(journal(), "checkpoint-20990101")).isEmpty();
  }

  @Test
  void open_newestCheckpointCutAnywhere_takesTheOneBefore() throws IOException {
    List<Path> checkpoints = checkpoints(journal());
    assertThat(checkpoints).hasSize(2);
    long size = Files.size(last(checkpoints));
    for (long cut = 0; cut < size; cut += Math.max(1, size / 40)) {
      Path copy = folder.resolve("cut-" + cut);
      JournalText.copy(journal(), copy);
      Path newest = copy.resolve(String.valueOf(last(checkpoints).getFileName()));
      try (FileChannel channel = FileChannel.open(newest, StandardOpenOption.WRITE)) {
        channel.truncate(cut);
      }
      assertRestored(copy);
    }
  }

  @Test
  void open_killedAtAnyMomentBetween_countsWhatWasDurable() throws IOException {
    // The directory as it is after each of many flushes, while checkpoints come and files go.
    Path running = folder.resolve("running");
    try (JournaledStore store = new JournaledStore(small(running))) {
      for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 60; i++) {
          store.merge("s" + i % 5, round * 60L + i + 1, i * 1000L + 1, round + 1);
        }
        store.awaitDurable();
        if (round % 4 == 3) {
          Path copy = folder.resolve("killed-" + round);
          JournalText.copy(running, copy);
          try (JournaledStore after = new JournaledStore(small(copy))) {
            assertThat(after.totals()).as("round %d", round).isEqualTo(store.totals());
            assertThat(after.lastSequence()).isEqualTo((round + 1) * 60L);
          }
        }
      }
    }
  }

  private static Path last(List<Path> paths) {
    return paths.get(paths.size() - 1);
  }

  /** They hold the ids of clients, which are secrets. */
  @Test
  void files_ofTheJournal_areReadByTheirOwnerAndGroupAlone() throws IOException {
    assertThat(files(journal(), "checkpoint")).isNotEmpty();
    assertThat(
            Stream.of("checkpoint", "intervals").flatMap(kind -> files(journal(), kind).stream()))
        .filteredOn(file -> file.toString().endsWith(".hlog"))
        .allSatisfy(
            file ->
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-r-----"));
  }
}
