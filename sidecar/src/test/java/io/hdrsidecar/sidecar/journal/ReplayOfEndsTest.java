package io.hdrsidecar.sidecar.journal;

import static io.hdrsidecar.sidecar.journal.JournaledStore.LAYOUT;
import static io.hdrsidecar.sidecar.journal.JournaledStore.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replay of journals whose records are written by hand, one after the other: ends of series before
 * and after checkpoints. Values differ in their sums, so that each shows when it is there.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReplayOfEndsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  @TempDir Path journal = Path.of("set by JUnit");
  private final Distribution read = new Distribution();

  private JournaledStore open(int maxSeries) throws IOException {
    return new JournaledStore(
        config(journal),
        Clock.fixed(NOW, ZoneOffset.UTC),
        () -> 0,
        new MergeConfig(
            maxSeries, 4, 1 << 20, WindowSpec.parseList("1h"), 2048, Duration.ofMinutes(15)));
  }

  private static SeriesDefinition series(String route) {
    return new SeriesDefinition(
        new SeriesKey("pay", Labels.of("route", route)), Unit.NANOSECONDS, "", LAYOUT, 1L << 40);
  }

  private String total(JournaledStore store, SeriesDefinition of) {
    find(store, of).readTotal(read);
    return text();
  }

  private String window(JournaledStore store, SeriesDefinition of) {
    find(store, of).readWindow(0, read);
    return text();
  }

  private static Series find(JournaledStore store, SeriesDefinition of) {
    return store.store().find(of.key()).orElseThrow();
  }

  private String text() {
    return read.count() + " values, sum " + read.sum();
  }

  @Test
  void open_endWithoutCheckpoint_dropsWhatCameBefore() throws IOException {
    try (HandMadeJournal intervals = HandMadeJournal.intervals(journal, NOW, 1)) {
      intervals
          .interval(1, series("/a"), 1)
          .interval(2, series("/b"), 10)
          .seriesEnd(3, series("/a"))
          .seriesEnd(4, series("/b"))
          .interval(5, series("/a"), 100, 100);
    }
    try (JournaledStore store = open(10)) {
      assertThat(total(store, series("/a"))).isEqualTo("2 values, sum 200");
      assertThat(window(store, series("/a"))).isEqualTo("2 values, sum 200");
      assertThat(store.store().find(series("/b").key())).isEmpty();
      assertThat(store.recovery().missing()).isZero();
    }
  }

  @Test
  void open_endAfterTheCheckpoint_dropsItsTotal() throws IOException {
    try (HandMadeJournal checkpoint = HandMadeJournal.checkpoint(journal, NOW, 3)) {
      checkpoint.total(4, 3, series("/a"), 1, 10, 100).end(4);
    }
    try (HandMadeJournal intervals = HandMadeJournal.intervals(journal, NOW, 3)) {
      intervals
          .interval(3, series("/a"), 10)
          .interval(4, series("/a"), 100)
          .interval(5, series("/a"), 1000)
          .seriesEnd(6, series("/a"))
          .interval(7, series("/a"), 5, 5);
    }
    try (JournaledStore store = open(10)) {
      assertThat(total(store, series("/a"))).isEqualTo("2 values, sum 10");
      assertThat(window(store, series("/a"))).isEqualTo("2 values, sum 10");
    }
  }

  /** The series ended and began anew before the checkpoint copied it: its total is the new one. */
  @Test
  void open_checkpointMadeAfterTheEnd_keepsItsTotalAndEmptiesTheWindows() throws IOException {
    try (HandMadeJournal checkpoint = HandMadeJournal.checkpoint(journal, NOW, 5)) {
      checkpoint.total(9, 2, series("/a"), 100, 1000).end(9);
    }
    try (HandMadeJournal intervals = HandMadeJournal.intervals(journal, NOW, 5)) {
      intervals
          .interval(5, series("/a"), 1)
          .interval(6, series("/a"), 10)
          .seriesEnd(7, series("/a"))
          .interval(8, series("/a"), 100)
          .interval(9, series("/a"), 1000)
          .interval(10, series("/a"), 10, 10);
    }
    try (JournaledStore store = open(10)) {
      assertThat(total(store, series("/a"))).isEqualTo("4 values, sum 1120");
      assertThat(window(store, series("/a"))).isEqualTo("4 values, sum 1120");
    }
  }

  /** The same, all in files that the checkpoint has and that are read for the windows alone. */
  @Test
  void open_endInAFileBeforeTheCheckpoint_keepsItsTotalAndEmptiesTheWindows() throws IOException {
    try (HandMadeJournal first = HandMadeJournal.intervals(journal, NOW, 1)) {
      first
          .interval(1, series("/a"), 1)
          .seriesEnd(2, series("/a"))
          .interval(3, series("/a"), 100)
          .interval(4, series("/b"), 7);
    }
    try (HandMadeJournal checkpoint = HandMadeJournal.checkpoint(journal, NOW, 5)) {
      checkpoint.total(4, 1, series("/a"), 100).total(4, 1, series("/b"), 7).end(4);
    }
    try (HandMadeJournal second = HandMadeJournal.intervals(journal, NOW, 5)) {
      second.interval(5, series("/a"), 10, 10);
    }
    try (JournaledStore store = open(10)) {
      assertThat(total(store, series("/a"))).isEqualTo("3 values, sum 120");
      assertThat(window(store, series("/a"))).isEqualTo("3 values, sum 120");
      assertThat(total(store, series("/b"))).isEqualTo("1 values, sum 7");
    }
  }

  /** Each was copied at a moment of its own; together in one series each keeps its own number. */
  @Test
  void open_lessSeriesThanBefore_countsEachRecordOnceInTheOverflowSeries() throws IOException {
    try (HandMadeJournal checkpoint = HandMadeJournal.checkpoint(journal, NOW, 4)) {
      checkpoint
          .total(3, 1, series("/a"), 1)
          .total(8, 2, series("/b"), 10, 100)
          .total(5, 2, series("/c"), 1000, 10_000)
          .end(8);
    }
    try (HandMadeJournal intervals = HandMadeJournal.intervals(journal, NOW, 4)) {
      intervals
          .interval(4, series("/a"), 2)
          .interval(5, series("/c"), 10_000)
          .interval(6, series("/c"), 20_000)
          .interval(7, series("/a"), 4)
          .interval(8, series("/b"), 100)
          .interval(9, series("/b"), 200);
    }
    SeriesDefinition overflow =
        new SeriesDefinition(
            new SeriesKey("pay", Labels.of("overflow", "true")),
            Unit.NANOSECONDS,
            "",
            LAYOUT,
            1L << 40);
    try (JournaledStore store = open(1)) {
      assertThat(store.store().series()).hasSize(2);
      assertThat(total(store, series("/a"))).isEqualTo("3 values, sum 7");
      assertThat(total(store, overflow)).isEqualTo("6 values, sum 31310");
      assertThat(window(store, series("/a"))).isEqualTo("2 values, sum 6");
      assertThat(window(store, overflow)).isEqualTo("4 values, sum 30300");
    }
  }
}
