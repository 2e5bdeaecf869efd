package io.hdrsidecar.sidecar.journal;

import static io.hdrsidecar.sidecar.journal.JournaledStore.LAYOUT;
import static io.hdrsidecar.sidecar.journal.JournaledStore.config;
import static io.hdrsidecar.sidecar.journal.JournaledStore.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.journal.JournalLine;
import io.hdrsidecar.internal.journal.JournalReader;
import io.hdrsidecar.internal.journal.JournalVisitor;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One checkpoint, step by step, beside a store in which series end between its steps. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CheckpointRunTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final JournalClock CLOCK =
      new JournalClock(Clock.fixed(NOW, ZoneOffset.UTC), () -> Uptime.UNKNOWN);
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir Path folder = Path.of("set by JUnit");
  private final AtomicLong nanos = new AtomicLong();

  private JournaledStore open() throws IOException {
    return new JournaledStore(
        config(folder.resolve("journal")),
        Clock.fixed(NOW, ZoneOffset.UTC),
        nanos::get,
        new MergeConfig(100, 4, 1 << 20, List.of(), 2048, LIMIT));
  }

  private void pass(JournaledStore store, Duration time) {
    store.onMergeThread(
        () -> {
          for (long second = 0; second < time.toSeconds(); second++) {
            nanos.addAndGet(1_000_000_000L);
            store.store().expireIdle();
          }
          return true;
        });
  }

  /** The last records of what a checkpoint has, by name of the series. */
  private static Map<String, Long> totals(Path checkpoint) throws IOException {
    TreeMap<String, Long> totals = new TreeMap<>();
    new JournalReader(checkpoint, new TotalsOnly(totals)).read();
    return totals;
  }

  /** Notes totals by the name of their series. */
  private record TotalsOnly(Map<String, Long> totals) implements JournalVisitor {
    @Override
    public void total(JournalLine line) {
      SeriesText series = line.series();
      if (series == null) {
        throw new AssertionError("a total without a series");
      }
      totals.put(series.definition().key().name(), line.record());
    }

    @Override
    public void interval(JournalLine line) {
      throw new AssertionError("an interval in a checkpoint");
    }

    @Override
    public void goodbye(InstanceId instance, long record) {
      throw new AssertionError("a goodbye in a checkpoint");
    }

    @Override
    public void seriesEnd(SeriesText series, long record) {
      throw new AssertionError("an end of a series in a checkpoint");
    }

    @Override
    public void sequence(InstanceId instance, long number, long awayMillis, boolean saidGoodbye) {}

    @Override
    public void end(long lines, long lastRecord) {}
  }

  @Test
  void copyUntil_seriesEndsBeforeItIsCopied_leavesItOutAndWaitsForTheRecordOfItsEnd()
      throws IOException {
    try (JournaledStore store = open();
        JournalDirectory directory = new JournalDirectory(folder);
        HistogramEncoder encoder = new HistogramEncoder()) {
      store.merge("ends", 1, 5); // record 1
      pass(store, LIMIT.dividedBy(2));
      store.merge("lives", 2, 6); // record 2
      CheckpointRun run = new CheckpointRun(directory, store.store(), encoder, 1, CLOCK);
      assertThat(run.lastRecord()).isEqualTo(2);

      pass(store, LIMIT.dividedBy(2)); // record 3: the end
      assertThat(run.copyUntil(Long.MAX_VALUE / 2 + System.nanoTime() / 2)).isTrue();

      assertThat(run.lastRecord()).isEqualTo(3);
      run.finish(directory, new SequenceMemory(10, Duration.ofHours(1), System::nanoTime));
      assertThat(totals(directory.checkpoints().get(0).path())).containsExactly(entry("lives", 2));
    }
  }

  @Test
  void copyUntil_seriesEndedAndBegunAnew_hasTheNewOneAlone() throws IOException {
    try (JournaledStore store = open();
        JournalDirectory directory = new JournalDirectory(folder);
        HistogramEncoder encoder = new HistogramEncoder()) {
      store.merge("again", 1, 5); // record 1
      pass(store, LIMIT); // record 2: the end
      store.merge("again", 2, 6, 7); // record 3
      CheckpointRun run = new CheckpointRun(directory, store.store(), encoder, 1, CLOCK);

      assertThat(run.copyUntil(Long.MAX_VALUE / 2 + System.nanoTime() / 2)).isTrue();

      run.finish(directory, new SequenceMemory(10, Duration.ofHours(1), System::nanoTime));
      assertThat(totals(directory.checkpoints().get(0).path())).containsExactly(entry("again", 3));
      assertThat(store.store().find(definition("again", LAYOUT).key())).isPresent();
    }
  }

  /** Ended before the checkpoint began, its end not yet written: the checkpoint depends on it. */
  @Test
  void begin_seriesHasEnded_waitsForTheRecordOfItsEnd() throws IOException {
    try (JournaledStore store = open();
        JournalDirectory directory = new JournalDirectory(folder);
        HistogramEncoder encoder = new HistogramEncoder()) {
      store.merge("ends", 1, 5);
      pass(store, LIMIT);
      try (CheckpointRun run = new CheckpointRun(directory, store.store(), encoder, 1, CLOCK)) {
        assertThat(run.copyUntil(Long.MAX_VALUE / 2 + System.nanoTime() / 2)).isTrue();
        assertThat(run.lastRecord()).isEqualTo(2);
      }
    }
  }

  private static Map.Entry<String, Long> entry(String name, long record) {
    return Map.entry(name, record);
  }
}
