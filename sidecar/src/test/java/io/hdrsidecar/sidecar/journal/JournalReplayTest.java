package io.hdrsidecar.sidecar.journal;

import static io.hdrsidecar.sidecar.journal.JournaledStore.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.BucketLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A journal read back: real files, whole and broken. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class JournalReplayTest {
  @TempDir Path folder = Path.of("set by JUnit");

  private Path journal() {
    return folder.resolve("journal");
  }

  private static Path only(Path directory, String prefix) throws IOException {
    return files(directory, prefix).get(0);
  }

  private static List<Path> files(Path directory, String prefix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(f -> f.getFileName().toString().startsWith(prefix)).sorted().toList();
    }
  }

  @Test
  void open_afterAnOrderlyEnd_hasTotalsWindowsAndSequences() throws IOException {
    Map<String, String> totals;
    String window;
    try (JournaledStore before = new JournaledStore(config(journal()))) {
      before.merge("checkout", 1, 5, 1_000_000, 77_777_777);
      before.merge("checkout", BucketLayout.of(1000, 2), 2, 123_456);
      before.merge("search", 3, 42);
      totals = before.totals();
      window = before.window("checkout");
    }
    try (JournaledStore after = new JournaledStore(config(journal()))) {
      assertThat(after.totals()).isEqualTo(totals);
      assertThat(after.window("checkout")).isEqualTo(window);
      assertThat(after.lastSequence()).isEqualTo(3);
      assertThat(after.recovery().records()).isEqualTo(3);
    }
  }

  @Test
  void files_intervalBeganBeforeItsFile_isReadRelativeToTheStartTimeToo() throws IOException {
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      store.merge("checkout", 1, 5); // began a second ago
    }
    try (HistogramLogReader reader =
        new HistogramLogReader(only(journal(), "intervals").toFile())) {
      // As Python's reader asks by default: from 0 seconds after the start of the log.
      EncodableHistogram read = reader.nextIntervalHistogram(0.0, Double.MAX_VALUE);
      assertThat(read).isNotNull();
      assertThat(read.getTag()).startsWith("checkout{route=");
    }
  }

  @Test
  void open_manyTimes_countsOnce() throws IOException {
    for (int run = 1; run <= 4; run++) {
      try (JournaledStore store = new JournaledStore(config(journal()))) {
        assertThat(store.lastSequence()).isEqualTo(run - 1);
        store.merge("checkout", run, run);
        store.awaitDurable();
      }
    }
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      assertThat(store.totals().values()).singleElement().asString().endsWith(" 1:1 2:1 3:1 4:1");
    }
  }

  @Test
  void open_clientSaidGoodbye_stillKnowsItsLastSequence() throws IOException {
    try (JournaledStore before = new JournaledStore(config(journal()))) {
      before.merge("checkout", 1, 5);
      before.sayGoodbye();
    }
    // Its ACK may have been lost: then it comes back and sends the interval again.
    try (JournaledStore after = new JournaledStore(config(journal()))) {
      assertThat(after.lastSequence()).isEqualTo(1);
    }
  }

  @Test
  void open_tornAtEveryByteOfTheLastRecord_cutsItOffAndKeepsTheRest() throws IOException {
    Map<String, String> two;
    long sizeOfTwo;
    Path written;
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      store.merge("checkout", 1, 5, 1_000_000);
      store.merge("checkout", 2, 6);
      store.awaitDurable();
      two = store.totals();
      written = only(journal(), "intervals");
      sizeOfTwo = Files.size(written);
      store.merge("checkout", 3, 1L << 33);
    }
    byte[] whole = Files.readAllBytes(written);
    for (int size = (int) sizeOfTwo; size < whole.length; size++) {
      Path torn = Files.createDirectory(folder.resolve("torn-" + size));
      Path file = torn.resolve(String.valueOf(written.getFileName()));
      Files.write(file, Arrays.copyOf(whole, size));
      try (JournaledStore after = new JournaledStore(config(torn))) {
        assertThat(after.totals()).as("cut at %d", size).isEqualTo(two);
        assertThat(after.lastSequence()).isEqualTo(2);
        assertThat(after.recovery().tornBytes()).isEqualTo(size - sizeOfTwo);
        assertThat(Files.size(file)).isEqualTo(sizeOfTwo);
      }
    }
  }

  @Test
  void open_anyByteOfARecordInTheMiddleChanged_losesThatRecordAndSaysSo() throws IOException {
    Path written;
    long from;
    long to;
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      store.merge("checkout", 1, 5);
      store.awaitDurable();
      written = only(journal(), "intervals");
      from = Files.size(written);
      store.merge("checkout", 2, 6);
      store.awaitDurable();
      to = Files.size(written);
      store.merge("checkout", 3, 7);
    }
    byte[] whole = Files.readAllBytes(written);
    SplittableRandom random = new SplittableRandom(11);
    // The line end behind it separates it from the next, which would be lost as well.
    for (int at = (int) from; at < to - 1; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= (byte) (1 + random.nextInt(255));
      Path damaged = Files.createDirectory(folder.resolve("damaged-" + at));
      Files.write(damaged.resolve(String.valueOf(written.getFileName())), changed);
      try (JournaledStore after = new JournaledStore(config(damaged))) {
        assertThat(after.totals().values())
            .as("byte %d", at)
            .singleElement()
            .asString()
            .endsWith(" 5:1 7:1");
        assertThat(after.recovery().damaged()).as("byte %d", at).isBetween(1L, 3L);
        assertThat(after.recovery().missing()).as("byte %d", at).isEqualTo(1);
        assertThat(after.lastSequence()).isEqualTo(3);
      }
    }
  }

  /** Found by the fuzz test: the first part of one and the second of the other made a third. */
  @Test
  void open_definitionsOfTwoSeriesDamagedWhereTheyMeet_mixesNoSeries() throws IOException {
    Path written;
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      store.merge("checkout", 1, 5);
      store.awaitDurable();
      written = only(journal(), "intervals");
      store.merge("research", 2, 42); // as long, so that the parts fit
    }
    String text = Files.readString(written, StandardCharsets.ISO_8859_1);
    assertThat(text).contains("\n#S 1 2 2 ", "\n#S 2 1 2 ");
    String damaged =
        text.replace("\n#S 1 2 2 ", "\n#S 1 2 3 ").replace("\n#S 2 1 2 ", "\n#S 2 1 3 ");
    Path other = Files.createDirectory(folder.resolve("damaged"));
    Files.writeString(
        other.resolve(String.valueOf(written.getFileName())), damaged, StandardCharsets.ISO_8859_1);
    try (JournaledStore after = new JournaledStore(config(other))) {
      assertThat(after.totals()).isEmpty();
      assertThat(after.recovery().records()).isZero();
      assertThat(after.recovery().damaged()).isGreaterThanOrEqualTo(4);
    }
  }

  @Test
  void open_garbageInsteadOfAJournal_startsAnew() throws IOException {
    byte[] garbage = new byte[300_000];
    new SplittableRandom(5).nextBytes(garbage);
    Files.createDirectory(journal());
    Files.write(journal().resolve("intervals-20240101T000000Z-1.hlog"), garbage);
    Files.write(journal().resolve("checkpoint-20240101T000000Z-1.hlog"), garbage);
    Files.writeString(journal().resolve("notes.txt"), "not ours");
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      assertThat(store.totals()).isEmpty();
      store.merge("checkout", 1, 5);
    }
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      assertThat(store.totals()).hasSize(1);
    }
  }

  @Test
  void open_whileAnotherHasTheDirectory_isRefused() throws IOException {
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      store.merge("checkout", 1, 5);
      assertThatThrownBy(() -> new JournaledStore(config(journal())))
          .isInstanceOf(DirectoryInUseException.class);
    }
  }

  @Test
  void open_clockWentBackAnHour_countsEverythingInOrder() throws IOException {
    Clock now = Clock.systemUTC();
    Map<String, String> totals;
    try (JournaledStore store = new JournaledStore(config(journal()), now)) {
      store.merge("checkout", 1, 5);
    }
    Clock earlier = Clock.offset(now, Duration.ofHours(-1));
    try (JournaledStore store = new JournaledStore(config(journal()), earlier)) {
      store.merge("checkout", 2, 6);
      totals = store.totals();
    }
    try (JournaledStore store = new JournaledStore(config(journal()), now)) {
      assertThat(store.totals()).isEqualTo(totals);
      assertThat(store.lastSequence()).isEqualTo(2);
      assertThat(store.recovery().missing()).isZero();
    }
  }

  @Test
  void open_clockWentBackAnHour_leavesWhatEndsInTheFutureOutOfTheWindows() throws IOException {
    Clock now = Clock.systemUTC();
    Clock earlier = Clock.offset(now, Duration.ofHours(-1));
    try (JournaledStore store = new JournaledStore(config(journal()), now)) {
      store.merge("checkout", 1, 5);
    }
    try (JournaledStore store = new JournaledStore(config(journal()), earlier)) {
      assertThat(store.totals().values()).singleElement().asString().endsWith(" 5:1");
      store.merge("checkout", 2, 6);
      // Of the 5, it cannot be known that it is not an hour old.
      assertThat(store.window("checkout")).endsWith("max=6 6:1");
    }
    try (JournaledStore store = new JournaledStore(config(journal()), earlier)) {
      assertThat(store.window("checkout")).endsWith("max=6 6:1");
      assertThat(store.totals().values()).singleElement().asString().endsWith(" 5:1 6:1");
    }
  }
}
