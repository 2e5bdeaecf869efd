package io.hdrsidecar.sidecar.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.history.PastReading;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a journal has not, it says; and a clock that is set back costs no number. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JournalGapsTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path folder = Path.of("set by JUnit");

  private JournaledStore readable() throws IOException {
    JournaledStore store =
        JournaledStore.readable(
            JournaledStore.config(folder, 64 << 10, 1 << 30, JournalConfig.Degrade.MEMORY));
    store.eventually(() -> store.store().past().source().filesWithoutIndex() == 0);
    return store;
  }

  private static List<String> warnings(JournaledStore store, Instant from, Instant to) {
    try (PastReading reading =
        store.store().past().source().open(from.toEpochMilli(), to.toEpochMilli())) {
      return reading.warnings();
    }
  }

  private List<Path> logs() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.toString().matches(".*/intervals-[^/]*\\.hlog"))
          .sorted()
          .toList();
    }
  }

  @Test
  void range_aFileInItWasCutShort_isAnsweredWithAWarning() throws IOException {
    Instant from = Instant.now().minusSeconds(60);
    try (JournaledStore store = readable()) {
      for (int i = 1; logs().size() < 4; i++) {
        store.merge("checkout", i, i);
        store.awaitDurable();
      }
    }
    Instant to = Instant.now().plusSeconds(60);
    try (JournaledStore whole = readable()) {
      assertThat(warnings(whole, from, to)).isEmpty();
    }
    Path second = logs().get(1);
    try (FileChannel channel = FileChannel.open(second, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 2);
    }

    try (JournaledStore cut = readable()) {
      assertThat(warnings(cut, from, to))
          .singleElement()
          .asString()
          .containsPattern("^[1-9]\\d* records of the journal from between ")
          .contains("counts may be too low");
    }
  }

  /** As where the disk was full, and intervals were acknowledged from memory. */
  @Test
  void range_recordsInItWereNeverWritten_isAnsweredWithAWarning() throws IOException {
    Instant later = THEN.plus(Duration.ofHours(3));
    try (HandMadeJournal before = HandMadeJournal.intervals(folder, THEN, 1);
        HandMadeJournal after = HandMadeJournal.intervals(folder, later, 13)) {
      before.interval(1, JournaledStore.definition("checkout", JournaledStore.LAYOUT), 5);
      before.interval(2, JournaledStore.definition("checkout", JournaledStore.LAYOUT), 5);
      after.interval(13, JournaledStore.definition("checkout", JournaledStore.LAYOUT), 5);
    }
    try (JournaledStore store = readable()) {
      assertThat(warnings(store, THEN.minusSeconds(60), later.plusSeconds(60)))
          .singleElement()
          .asString()
          .startsWith("10 records of the journal from between ");
      assertThat(warnings(store, later.plusSeconds(600), later.plusSeconds(700))).isEmpty();
      assertThat(warnings(store, THEN.minusSeconds(700), THEN.minusSeconds(600))).isEmpty();
    }
  }

  /** The clock is set back ten days before the second run, and is right again in the third. */
  @Test
  void sequenceNumber_clockSetBackAndForthOverRestarts_isKnown() throws IOException {
    Duration tenDays = Duration.ofDays(10);
    try (JournaledStore first = at(THEN)) {
      first.merge("checkout", 10, 5);
      first.awaitDurable();
    }
    try (JournaledStore second = at(THEN.minus(tenDays))) {
      second.eventually(() -> second.journal().status().lastCheckpoint().isAfter(Instant.EPOCH));
    }
    try (JournaledStore third = at(THEN)) {
      InstanceId other = new InstanceId(9, 9);
      for (int i = 1; !third.journal().status().lastCheckpoint().equals(THEN); i++) {
        third.merge(other, "search", JournaledStore.LAYOUT, i, 1, i);
        third.awaitDurable();
      }
    }
    try (JournaledStore fourth = at(THEN)) {
      assertThat(fourth.lastSequence()).isEqualTo(10);
    }
  }

  private JournaledStore at(Instant now) throws IOException {
    return new JournaledStore(
        JournaledStore.config(folder, 64 << 10, 1 << 30, JournalConfig.Degrade.MEMORY),
        Clock.fixed(now, ZoneOffset.UTC));
  }
}
