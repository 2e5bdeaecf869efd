package io.hdrsidecar.sidecar.journal;

import static io.hdrsidecar.sidecar.journal.JournaledStore.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.journal.JournalConfig.Degrade;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.support.JournalText;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What has ended stays ended after a restart, and what came after it is counted. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class JournalExpiryTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir Path folder = Path.of("set by JUnit");

  /** Both clocks, turned by hand. */
  private final AtomicLong nanos = new AtomicLong();

  private Duration down = Duration.ZERO;
  private long sequence;

  private JournaledStore open(Path directory) throws IOException {
    return open(config(directory));
  }

  private JournaledStore open(JournalConfig config) throws IOException {
    return open(config, () -> Uptime.UNKNOWN);
  }

  private JournaledStore open(JournalConfig config, Supplier<Uptime> uptime) throws IOException {
    InstantSource wall =
        () -> Instant.ofEpochSecond(1_700_000_000).plusNanos(nanos.get()).plus(down);
    // The window outlasts every test: it shows what has ended, not what is old.
    return new JournaledStore(
        config,
        wall,
        nanos::get,
        new MergeConfig(100, 4, 1 << 20, WindowSpec.parseList("1h"), 2048, LIMIT),
        uptime);
  }

  private static void pass(JournaledStore store, AtomicLong nanos, Duration time) {
    store.onMergeThread(
        () -> {
          for (long second = 0; second < time.toSeconds(); second++) {
            nanos.addAndGet(1_000_000_000L);
            store.store().expireIdle();
          }
          return true;
        });
  }

  private void merge(JournaledStore store, String name, long... values) {
    store.merge(name, ++sequence, values);
  }

  private Path copyOf(Path directory) throws IOException {
    Path copy = folder.resolve("copy-" + nanos.get() + "-" + sequence);
    JournalText.copy(directory, copy);
    return copy;
  }

  private Path journal() {
    return folder.resolve("journal");
  }

  @Test
  void open_killedAfterTheEnd_doesNotBringItBack() throws IOException {
    try (JournaledStore store = open(journal())) {
      merge(store, "ends", 5, 6);
      pass(store, nanos, LIMIT.dividedBy(2));
      merge(store, "lives", 7);
      pass(store, nanos, LIMIT.dividedBy(2));
      store.awaitDurable();

      try (JournaledStore after = open(copyOf(journal()))) {
        assertThat(after.totals()).hasSize(1).isEqualTo(store.totals());
        assertThat(after.recovery().missing()).isZero();
        assertThat(after.recovery().damaged()).isZero();
        assertThat(after.lastSequence()).isEqualTo(2);
      }
    }
  }

  @Test
  void open_killedBeforeTheEnd_idlesOnFromItsLastInterval() throws IOException {
    try (JournaledStore store = open(journal())) {
      merge(store, "idle", 5, 6);
      store.awaitDurable();
      pass(store, nanos, LIMIT.minusSeconds(40));
      Map<String, String> totals = store.totals();
      down = Duration.ofSeconds(30);

      try (JournaledStore after = open(copyOf(journal()))) {
        pass(after, nanos, Duration.ofSeconds(9));
        assertThat(after.totals()).isEqualTo(totals);
        pass(after, nanos, Duration.ofSeconds(1));
        assertThat(after.totals()).isEmpty();
      }
    }
  }

  @Test
  void open_theEndCameMeanwhile_doesNotBringItBackNorLater() throws IOException {
    try (JournaledStore store = open(journal())) {
      merge(store, "ends", 5, 6);
      store.awaitDurable();
      down = LIMIT;

      Path copy = copyOf(journal());
      try (JournaledStore after = open(copy)) {
        assertThat(after.totals()).isEmpty();
        assertThat(after.store().status().expired()).isEqualTo(1);
        assertThat(after.lastSequence()).isEqualTo(1);
        merge(after, "ends", 1000);
      }
      try (JournaledStore again = open(copy)) {
        assertThat(again.totals().values()).singleElement().asString().contains("sum=1000");
      }
    }
  }

  /** Restarts that follow on each other give no series a moment more. */
  @Test
  void open_againAndAgain_idlesOn() throws IOException {
    try (JournaledStore store = open(small(journal()))) {
      for (int i = 0; i < 40; i++) { // Enough for a checkpoint.
        merge(store, "idle" + i, new SplittableRandom(i).longs(900, 0, 1L << 40).toArray());
      }
      store.awaitDurable();
      store.eventually(() -> store.journal().status().lastCheckpoint().isAfter(Instant.EPOCH));
    }
    for (int restart = 0; restart < 5; restart++) {
      down = down.plusSeconds(11);
      try (JournaledStore store = open(small(journal()))) {
        assertThat(store.totals().size()).isEqualTo(restart == 0 ? 40 : 41);
        merge(store, "lives", 7);
        store.awaitDurable();
      }
    }
    down = down.plusSeconds(5);
    try (JournaledStore store = open(small(journal()))) {
      assertThat(store.totals()).hasSize(1);
      assertThat(store.totals().values()).singleElement().asString().contains("sum=35");
    }
  }

  /** Where a machine under load does not come to look, that is no reason to live longer. */
  @Test
  void open_checkpointLongAfterTheLastLook_idlesFromTheInterval() throws IOException {
    try (JournaledStore store = open(small(journal()))) {
      merge(store, "idle", 5, 6);
      nanos.addAndGet(9_000_000_000L);
      for (int i = 0; i < 40; i++) { // Enough for a checkpoint.
        merge(store, "idle" + i, new SplittableRandom(i).longs(900, 0, 1L << 40).toArray());
      }
      store.awaitDurable();
      store.eventually(() -> store.journal().status().lastCheckpoint().isAfter(Instant.EPOCH));
    }
    down = LIMIT.minusSeconds(9);
    try (JournaledStore store = open(small(journal()))) {
      // The others idle since the last look where they are in the checkpoint, and 9 s less if not.
      assertThat(store.totals().keySet()).noneMatch(series -> series.startsWith("idle{"));
    }
  }

  /** While the machine runs, its uptime tells how long ago something was, and no other clock. */
  @ParameterizedTest(name = "{0} days")
  @ValueSource(longs = {-10, 10, 10_000})
  void open_wallClockSetMeanwhile_idlesByTheUptime(long days) throws IOException {
    Supplier<Uptime> uptime = runningSince("a");
    try (JournaledStore store = open(config(journal()), uptime)) {
      merge(store, "idle", 5, 6);
      store.awaitDurable();
      Map<String, String> totals = store.totals();
      down = Duration.ofDays(days);
      nanos.addAndGet(LIMIT.minusSeconds(10).toNanos());
      Path before = copyOf(journal());
      try (JournaledStore after = open(config(before), uptime)) {
        assertThat(after.totals()).isEqualTo(totals);
        pass(after, nanos, Duration.ofSeconds(9));
        assertThat(after.totals()).isEqualTo(totals);
        pass(after, nanos, Duration.ofSeconds(1));
        assertThat(after.totals()).isEmpty();
      }
    }
  }

  private Supplier<Uptime> runningSince(String boot) {
    return () -> new Uptime(TimeUnit.NANOSECONDS.toMillis(nanos.get()), boot);
  }

  /** Nobody knows how long the machine was off: the idle time goes on from where it was. */
  @Test
  void open_machineStartedAnewWithAClockThatWentBack_renewsNothing() throws IOException {
    try (JournaledStore store = open(config(journal()), runningSince("a"))) {
      merge(store, "idle", 5, 6);
      store.awaitDurable();
      pass(store, nanos, LIMIT.minusSeconds(20));
      merge(store, "lives", 5, 6);
      store.awaitDurable();
    }
    down = Duration.ofDays(-10);
    try (JournaledStore after = open(config(journal()), runningSince("b"))) {
      pass(after, nanos, Duration.ofSeconds(19));
      assertThat(after.totals()).hasSize(2);
      pass(after, nanos, Duration.ofSeconds(1));
      assertThat(after.totals()).hasSize(1);
    }
  }

  @Test
  void open_begunAnewAfterTheEnd_hasWhatCameAfterItAlone() throws IOException {
    try (JournaledStore store = open(journal())) {
      merge(store, "again", 5, 6);
      pass(store, nanos, LIMIT);
      merge(store, "again", 1000);
      merge(store, "again", 2000, 3000);
      store.awaitDurable();

      try (JournaledStore after = open(copyOf(journal()))) {
        assertThat(after.totals()).isEqualTo(store.totals());
        assertThat(after.totals().values()).singleElement().asString().contains("sum=6000");
        assertThat(after.window("again")).isEqualTo(store.window("again")).contains("sum=6000");
      }
    }
  }

  @Test
  void open_endedAfterARestartWithoutIntervals_doesNotBringItBack() throws IOException {
    try (JournaledStore store = open(journal())) {
      merge(store, "ends", 5, 6);
    }
    try (JournaledStore store = open(journal())) {
      pass(store, nanos, LIMIT);
      assertThat(store.totals()).isEmpty();
    }
    try (JournaledStore store = open(journal())) {
      assertThat(store.totals()).isEmpty();
    }
  }

  /** Files rotate and checkpoints are made while series end and begin; killed at many moments. */
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42, 99})
  void open_killedAtAnyMomentAmongCheckpoints_isAsItWas(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    try (JournaledStore store = open(small(journal()))) {
      for (int round = 0; round < 60; round++) {
        for (int i = 0; i < 20; i++) {
          long[] values = random.longs(30, 0, 1L << 40).toArray();
          merge(store, "s" + random.nextInt(8), values);
        }
        pass(store, nanos, Duration.ofSeconds(random.nextInt(40)));
        if (random.nextInt(3) == 0) {
          store.awaitDurable();
        }
        if (round % 6 == 5) {
          store.awaitDurable();
          Path copy = folder.resolve("killed-" + round);
          JournalText.copy(journal(), copy);
          try (JournaledStore after = open(small(copy))) {
            assertThat(after.totals()).as("round %d", round).isEqualTo(store.totals());
            assertThat(after.recovery().damaged()).isZero();
            assertThat(after.lastSequence()).isEqualTo(sequence);
            for (String name : names(store)) {
              assertThat(after.window(name)).as(name).isEqualTo(store.window(name));
            }
          }
        }
      }
      assertThat(store.store().status().expired()).isPositive();
      assertThat(store.journal().status().lastCheckpoint()).isAfter(Instant.EPOCH);
    }
  }

  private static List<String> names(JournaledStore store) {
    return store.store().series().stream().map(series -> series.key().name()).toList();
  }

  private static JournalConfig small(Path directory) {
    return config(directory, 64 << 10, 1 << 30, Degrade.MEMORY); // Windows need all files.
  }

  @Test
  void write_endOfASeries_isACommentThatOtherToolsSkip() throws IOException {
    try (JournaledStore store = open(journal())) {
      merge(store, "again", 5, 6);
      pass(store, nanos, LIMIT);
      merge(store, "again", 7);
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(journal())) {
      files = all.filter(f -> f.toString().contains("intervals-")).toList();
    }
    assertThat(files).hasSize(1);
    assertThat(Files.readAllLines(files.get(0)))
        .filteredOn(line -> line.startsWith("#X "))
        .singleElement()
        .asString()
        .matches("#X 2 1 [0-9a-f]{8}");
    List<Long> counts = new ArrayList<>();
    try (HistogramLogReader reader =
        new HistogramLogReader(new FileInputStream(files.get(0).toFile()))) {
      while (reader.hasNext()) {
        counts.add(((org.HdrHistogram.Histogram) reader.nextIntervalHistogram()).getTotalCount());
      }
    }
    assertThat(counts).containsExactly(2L, 1L);
  }
}
