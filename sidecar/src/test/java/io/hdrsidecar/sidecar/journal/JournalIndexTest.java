package io.hdrsidecar.sidecar.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.index.IndexFile;
import io.hdrsidecar.sidecar.index.JournalIndexer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The indexes beside the files of a journal, and reading by them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JournalIndexTest {
  private static final int MERGED = 2000;

  @TempDir Path folder = Path.of("set by JUnit");

  private JournaledStore open() throws IOException {
    return JournaledStore.readable(
        JournaledStore.config(folder, 64 << 10, 1 << 30, JournalConfig.Degrade.MEMORY));
  }

  /** What the writer takes in one go comes into one file, however long: so not all at once. */
  private static void merge(JournaledStore store, int from, int count) {
    for (int i = from; i < from + count; i++) {
      store.merge(i % 3 == 0 ? "checkout" : "search", i, i);
      if (i % 20 == 0) {
        store.awaitDurable();
      }
    }
    store.awaitDurable();
  }

  private List<Path> logs() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.toString().matches(".*/intervals-[^/]*\\.hlog"))
          .sorted()
          .toList();
    }
  }

  private static long count(List<PastInterval> intervals) throws IOException {
    IntervalSum sum = new IntervalSum();
    for (PastInterval each : intervals) {
      sum.add(each);
    }
    long[] count = {0};
    sum.counts().forEach(counts -> count[0] += counts.count());
    return count[0];
  }

  private static List<PastInterval> all(PastReading reading, String name) {
    return reading.series().stream()
        .filter(each -> each.key().name().equals(name))
        .flatMap(each -> reading.intervals(each, Map.of(), MERGED).stream())
        .toList();
  }

  @Test
  void index_madeByTheWriter_isTheOneMadeFromTheFile() throws IOException {
    try (JournaledStore store = open()) {
      merge(store, 1, MERGED);
      store.sayGoodbye();
      merge(store, MERGED + 1, 10);
    }
    List<Path> logs = logs();
    assertThat(logs).hasSizeGreaterThan(3);
    for (Path log : logs) {
      byte[] written = Files.readAllBytes(IndexFile.beside(log));
      IndexFile.write(JournalIndexer.of(log), log);
      assertThat(Files.readAllBytes(IndexFile.beside(log))).isEqualTo(written);
    }
  }

  @Test
  void open_anyByteChangedOrCutOffOrLogLonger_isRefused() throws IOException {
    try (JournaledStore store = open()) {
      merge(store, 1, 200);
    }
    Path log = logs().get(0);
    byte[] written = Files.readAllBytes(IndexFile.beside(log));
    assertThat(IndexFile.open(log).lines()).isEqualTo(200);
    for (int i = 0; i < written.length; i += 7) {
      byte[] changed = written.clone();
      changed[i] ^= 1;
      Files.write(IndexFile.beside(log), changed);
      assertThatThrownBy(() -> IndexFile.open(log)).as("byte " + i).isInstanceOf(IOException.class);
    }
    for (int length : new int[] {0, 4, 59, written.length - 1}) {
      Files.write(IndexFile.beside(log), Arrays.copyOf(written, length));
      assertThatThrownBy(() -> IndexFile.open(log)).isInstanceOf(IOException.class);
    }
    Files.write(IndexFile.beside(log), written);
    Files.writeString(log, "#\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> IndexFile.open(log)).hasMessageContaining("another file");
  }

  /** The second of a file that was deleted before its index was made. */
  private static boolean saysWhatIsMissing(String warning) {
    return warning.contains("cannot be read") || warning.contains("no index yet");
  }

  @Test
  void reading_filesAreDeletedMeanwhile_readsOn() throws IOException {
    try (JournaledStore store = open()) {
      merge(store, 1, MERGED);
      try (PastReading reading = store.store().past().source().open(0, Long.MAX_VALUE)) {
        for (Path log : logs()) {
          Files.delete(log);
          Files.deleteIfExists(IndexFile.beside(log));
        }
        assertThat(count(all(reading, "checkout"))).isEqualTo(MERGED / 3);
        assertThat(reading.warnings()).isEmpty();
      }
      try (PastReading reading = store.store().past().source().open(0, Long.MAX_VALUE)) {
        assertThat(count(all(reading, "checkout"))).isZero();
        assertThat(reading.warnings()).isNotEmpty().allMatch(JournalIndexTest::saysWhatIsMissing);
        assertThat(reading.hasAll(1, MERGED)).isFalse();
      }
    }
  }

  @Test
  void reading_mergedAfterItWasOpened_isNotInIt() throws IOException {
    try (JournaledStore store = open()) {
      merge(store, 1, 300);
      try (PastReading reading = store.store().past().source().open(0, Long.MAX_VALUE)) {
        merge(store, 301, MERGED); // also rotates
        assertThat(count(all(reading, "checkout"))).isEqualTo(100);
        assertThat(reading.hasAll(1, 300)).isTrue();
        assertThat(reading.hasAll(1, 301)).isFalse();
      }
    }
  }

  /** A record whose bytes have changed is left out by its checksum, whatever the index says. */
  @Test
  void reading_recordIsDamaged_saysWhichAndGoesOn() throws IOException {
    try (JournaledStore store = open()) {
      merge(store, 1, 30);
      Path log = logs().get(0);
      byte[] bytes = Files.readAllBytes(log);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      int record = text.indexOf("#R 6 ");
      bytes[text.indexOf("HISTFAA", record) + 20] ^= 1;
      Files.write(log, bytes);

      try (PastReading reading = store.store().past().source().open(0, Long.MAX_VALUE)) {
        IntervalSum sum = new IntervalSum();
        int failed = 0;
        for (PastInterval each : all(reading, "checkout")) {
          try {
            sum.add(each);
          } catch (IOException e) {
            failed++;
            assertThat(e).hasMessageContaining("record 6 in " + log.getFileName());
          }
        }
        assertThat(failed).isOne();
        assertThat(sum.range().intervals()).isEqualTo(9);
      }
    }
  }

  @Test
  void index_cannotBeWritten_journalGoesOnAndAnswersSaySo() throws IOException {
    try (JournaledStore store = open()) {
      merge(store, 1, 10);
      Path first = logs().get(0);
      Path inTheWay = IndexFile.beside(first);
      Files.createDirectories(inTheWay.resolve("a folder that is not empty"));
      merge(store, 11, MERGED);

      assertThat(logs()).hasSizeGreaterThan(2);
      assertThat(store.journal().status().state()).isEqualTo(JournalStatus.State.WRITING);
      assertThat(store.journal().status().failures()).isZero();
      try (PastReading reading = store.store().past().source().open(0, Long.MAX_VALUE)) {
        assertThat(reading.warnings()).hasSize(1);
        assertThat(reading.warnings().get(0)).startsWith("1 files of the journal have no index");
        assertThat(reading.hasAll(1, 10)).isFalse();
        assertThat(count(all(reading, "checkout"))).isPositive();
      }
    }
  }
}
