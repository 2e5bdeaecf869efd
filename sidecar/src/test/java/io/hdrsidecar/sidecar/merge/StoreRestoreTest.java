package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.merge.Intervals.LAYOUT;
import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static io.hdrsidecar.sidecar.merge.Intervals.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.limits.MemoryState.Pressure;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a start brings back keeps to the limits of this start. */
class StoreRestoreTest {
  private static final Duration IDLE = Duration.ofMinutes(1);
  private static final long[] WIDE = {
    1, 1L << 12, 1L << 16, 1L << 20, 1L << 24, 1L << 28, 1L << 32
  };
  private static final int SERIES = 40;

  private final HandTurnedClock clock = new HandTurnedClock();
  private final Distribution read = new Distribution();
  private final DecodedHistogram wide = decoded(LAYOUT, WIDE);

  private SeriesStore store(int maxSeries, int maxLabelLength, long maxMemoryBytes) {
    return new SeriesStore(
        new MergeConfig(
            maxSeries,
            2,
            50_000,
            WindowSpec.parseList("10s"),
            maxLabelLength,
            IDLE,
            maxMemoryBytes),
        clock,
        clock);
  }

  private static SeriesDefinition call(int i) {
    return definition("call", "i", "x".repeat(60) + i);
  }

  private Series restore(SeriesStore store, SeriesDefinition definition, long idleMillis)
      throws Exception {
    Series series = store.restore().series(definition, clock.instant());
    IntervalCounts counts = new IntervalCounts();
    ExactSum sum = new ExactSum();
    Arrays.stream(WIDE).forEach(sum::add);
    counts.set(wide.counts(), SumMinMax.of(sum.high(), sum.low(), true, 1, 1L << 32));
    store.restore().total(series, wide, counts, 1, clock.millis(), idleMillis);
    store.restore().windows(series, LAYOUT, counts, clock.millis() - 1000, clock.millis());
    assertThat(store.memory().reservedBytes()).isLessThanOrEqualTo(store.memory().limitBytes());
    return series;
  }

  /** The first has idled longest. */
  private void restoreAll(SeriesStore store) throws Exception {
    for (int i = 0; i < SERIES; i++) {
      restore(store, call(i), 1000L * (SERIES - i));
    }
  }

  private long total(SeriesStore store) {
    return store.series().stream()
        .mapToLong(
            series -> {
              series.readTotal(read);
              return read.count();
            })
        .sum();
  }

  /** What they take. */
  private long bytes() throws Exception {
    SeriesStore store = store(1000, 2048, Long.MAX_VALUE);
    restoreAll(store);
    return store.memory().reservedBytes();
  }

  @Test
  void total_asMuchRoomAsBefore_everySeriesIsItself() throws Exception {
    SeriesStore store = store(1000, 2048, bytes() + 1000); // As a part is reckoned with an object.

    restoreAll(store);

    assertThat(store.series()).hasSize(SERIES);
    assertThat(store.status().overflowSeries()).isZero();
    assertThat(store.restore().foldedSeries()).isZero();
    assertThat(total(store)).isEqualTo((long) SERIES * WIDE.length);
  }

  @Test
  void total_halfTheRoom_addsTheIdlestToTheOverflowSeriesAndLosesNoCount() throws Exception {
    SeriesStore store = store(1000, 2048, bytes() / 2);

    restoreAll(store);

    assertThat(total(store)).isEqualTo((long) SERIES * WIDE.length);
    assertThat(store.restore().lostValues()).isZero();
    assertThat(store.status().overflowSeries()).isEqualTo(1);
    assertThat(store.restore().foldedSeries()).isBetween(SERIES / 2L, 3L * SERIES / 4);
    assertThat(store.series()).hasSize(SERIES + 1 - (int) store.restore().foldedSeries());
    assertThat(store.find(call(SERIES - 1).key())).isPresent();
    assertThat(store.find(call(0).key())).isEmpty();

    store.advanceWindows();
    assertThat(store.memory().pressure()).isNotEqualTo(Pressure.COUNTS);
    // More of what was folded goes where the rest of it is.
    assertThat(restore(store, call(0), 0).key().labels().asMap()).containsKey("overflow");
    store.restore().beginsAnew(call(0).key());
  }

  @Test
  void total_roomForNoSeries_isRefusedAndChangesNothing() throws Exception {
    SeriesStore store = store(1000, 2048, 2 * bytes() / SERIES);
    restore(store, call(0), 0);

    assertThatThrownBy(
            () -> {
              for (int i = 1; i < SERIES; i++) {
                restore(store, definition("call" + i), 0);
              }
            })
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("series.max-memory");
    assertThat(total(store) % WIDE.length).isZero();
  }

  @Test
  void series_fewerPlacesOrShorterLabels_shareTheOverflowSeries() throws Exception {
    SeriesStore fewer = store(10, 2048, Long.MAX_VALUE);
    restoreAll(fewer);
    assertThat(fewer.series()).hasSize(11);
    assertThat(total(fewer)).isEqualTo((long) SERIES * WIDE.length);

    SeriesStore shorter = store(1000, 64, Long.MAX_VALUE);
    restoreAll(shorter); // i and 60 characters and two digits are 63, with one 62
    assertThat(shorter.series()).hasSize(SERIES);
    restore(shorter, definition("call", "i", "x".repeat(64)), 0);
    assertThat(shorter.series()).hasSize(SERIES + 1);
    assertThat(shorter.status().overflowSeries()).isEqualTo(1);
  }

  @Test
  void expireIdle_restoredWithTheirIdleTimes_eachEndsInItsTime() throws Exception {
    SeriesStore store = store(1000, 2048, Long.MAX_VALUE);
    store.restore().at(IDLE.multipliedBy(100).toNanos());
    restoreAll(store);

    clock.advance(Duration.ofSeconds(10));
    store.expireIdle();
    assertThat(store.series()).hasSize(SERIES);
    store.restore().at(IDLE.multipliedBy(100).plusSeconds(30).toNanos());
    store.expireIdle();

    // Idle for 40 s to 1 s then, and 30 s more: those of 30 s and more have ended.
    assertThat(store.series()).hasSize(29);
    assertThat(store.status().expired()).isEqualTo(11);
  }

  @Test
  void end_allThatWasRestored_leavesNothingBehind() throws Exception {
    SeriesStore store = store(1000, 2048, Long.MAX_VALUE);
    restoreAll(store);

    store.series().forEach(store.restore()::end);

    assertThat(store.memory().reservedBytes()).isZero();
    assertThat(store.memory().heldBytes()).isZero();
  }
}
