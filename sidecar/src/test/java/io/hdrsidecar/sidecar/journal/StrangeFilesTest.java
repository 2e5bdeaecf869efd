package io.hdrsidecar.sidecar.journal;

import static io.hdrsidecar.sidecar.journal.JournaledStore.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in a journal's directory that are none of its own, or no longer what they were. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StrangeFilesTest {
  /** Before, between and behind the files of the journal, which has records 1 to 4. */
  private static final String[] NUMBERS = {"0", "1", "3", "1000000"};

  @TempDir Path journal = Path.of("set by JUnit");
  private Map<String, String> totals = Map.of();

  @BeforeEach
  void writeAJournal() throws IOException {
    for (int run = 0; run < 2; run++) {
      try (JournaledStore store = new JournaledStore(config(journal))) {
        store.merge("checkout", 2 * run + 1, 5, 1_000_000);
        store.merge("search", 2 * run + 2, 42);
        totals = store.totals();
      }
    }
  }

  /** Twice, as the first start may clear up; with a merge between, which must last. */
  private void assertNothingIsLostOrDoubled() throws IOException {
    Map<String, String> more;
    try (JournaledStore store = new JournaledStore(config(journal))) {
      assertThat(store.totals()).isEqualTo(totals);
      assertThat(store.lastSequence()).isEqualTo(4);
      store.merge("checkout", 5, 77);
      more = store.totals();
    }
    try (JournaledStore store = new JournaledStore(config(journal))) {
      assertThat(store.totals()).isEqualTo(more);
      assertThat(store.lastSequence()).isEqualTo(5);
    }
  }

  private Path named(String kind, String number) {
    return journal.resolve(kind + "-20240101T000000Z-" + number + ".hlog");
  }

  @ParameterizedTest
  @ValueSource(strings = {"intervals", "checkpoint"})
  void open_garbageByTheNameOfAFile_keepsTheRest(String kind) throws IOException {
    SplittableRandom random = new SplittableRandom(17);
    for (String number : NUMBERS) {
      byte[] garbage = new byte[random.nextInt(1, 50_000)];
      random.nextBytes(garbage);
      Files.write(named(kind, number), garbage);
    }
    assertNothingIsLostOrDoubled();
  }

  @ParameterizedTest
  @ValueSource(strings = {"intervals", "checkpoint"})
  void open_emptyFiles_keepsTheRest(String kind) throws IOException {
    for (String number : NUMBERS) {
      Files.createFile(named(kind, number));
    }
    assertNothingIsLostOrDoubled();
  }

  @ParameterizedTest
  @ValueSource(strings = {"intervals", "checkpoint"})
  void open_foldersByTheNameOfFiles_keepsTheRest(String kind) throws IOException {
    for (String number : NUMBERS) {
      Files.createDirectory(named(kind, number));
    }
    assertNothingIsLostOrDoubled();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "test_tagged_invalid_histogram.txt",
        "test_tagged_invalid_tag_key.txt",
        "test_tagged_invalid_timestamp.txt",
        "test_tagged_missing_histogram.txt",
        "tagged-Log.logV2.hlog"
      })
  void open_logsOfOthers_keepsTheRest(String log) throws IOException {
    for (String number : NUMBERS) {
      try (InputStream in = getClass().getResourceAsStream("/hlog/" + log)) {
        byte[] bytes = Objects.requireNonNull(in, log).readAllBytes();
        Files.write(named("intervals", number), bytes);
        Files.write(named("checkpoint", number), bytes);
      }
    }
    assertNothingIsLostOrDoubled();
  }

  @Test
  void open_copiesOfItsOwnFilesCutAnywhere_countsNothingTwice() throws IOException {
    SplittableRandom random = new SplittableRandom(23);
    Path own = new JournalDirectory(journal).intervals().get(0).path();
    byte[] whole = Files.readAllBytes(own);
    for (String number : NUMBERS) {
      Files.write(named("intervals", number), Arrays.copyOf(whole, random.nextInt(whole.length)));
      Files.write(named("checkpoint", number), Arrays.copyOf(whole, random.nextInt(whole.length)));
    }
    assertNothingIsLostOrDoubled();
  }

  @Test
  void open_fileThatCannotBeRead_isRefusedNamingIt() throws IOException {
    Path unreadable = named("intervals", "2");
    Files.createSymbolicLink(unreadable, journal.resolve("not there"));

    // To start without it would lose counts, and tell clients that they are safe.
    assertThatThrownBy(() -> new JournaledStore(config(journal)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot read " + unreadable);

    Files.delete(unreadable);
    assertNothingIsLostOrDoubled();
  }
}
