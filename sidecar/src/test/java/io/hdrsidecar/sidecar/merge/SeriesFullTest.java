package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.merge.Intervals.LAYOUT;
import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static io.hdrsidecar.sidecar.merge.Intervals.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.limits.MemoryState.Pressure;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Series that begin small and grow until there is no memory: labels go, counts do not. */
class SeriesFullTest {
  private static final int SERIES = 60;
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final HandTurnedClock clock = new HandTurnedClock();
  private final Distribution read = new Distribution();
  private final SeriesStore store =
      new SeriesStore(
          new MergeConfig(1000, 2, 50_000, WindowSpec.parseList("10s"), 2048, IDLE, 1_000_000),
          clock,
          clock);

  /** All values sent to each, in order. */
  private final List<List<Long>> sent = new ArrayList<>();

  private Series series(int i) throws RefusedException {
    return store.register(definition("call", "i", Integer.toString(i)));
  }

  private long total(Series series) {
    series.readTotal(read);
    return read.count();
  }

  private void endIdle() {
    for (int second = 0; second <= IDLE.toSeconds(); second++) {
      clock.advance(Duration.ofSeconds(1));
      store.expireIdle();
      store.advanceWindows();
    }
  }

  private List<Registration> grow() throws RefusedException {
    SplittableRandom random = new SplittableRandom(3);
    List<Registration> registered = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      registered.add(series(i).registration(LAYOUT));
      sent.add(new ArrayList<>());
    }
    for (int round = 0; round < 100; round++) {
      for (int i = 0; i < SERIES; i++) {
        long value = random.nextLong(1L << random.nextInt(1, 14));
        registered.set(i, store.renewed(registered.get(i)));
        store.mergeWithoutSumMinMax(
            registered.get(i).series(),
            decoded(LAYOUT, value),
            clock.millis() - 1000,
            clock.millis());
        sent.get(i).add(value);
      }
    }
    return registered;
  }

  @Test
  void merge_noMemoryForMoreCounters_countsAllThatComesInTheOverflowSeries() throws Exception {
    grow();

    assertThat(store.status().rejected()).isEmpty();
    assertThat(store.status().overflowSeries()).isEqualTo(1);
    assertThat(store.memory().pressure()).isEqualTo(Pressure.LABELS);
    assertThat(store.series().stream().mapToLong(this::total).sum()).isEqualTo(SERIES * 100);
  }

  /** A series without its rare and slow values would be wrong; one that stands still is not. */
  @Test
  void merge_noMemoryForMoreCounters_leavesEachSeriesWholeUpToThen() throws Exception {
    grow();

    int full = 0;
    for (int i = 0; i < SERIES; i++) {
      Series series = store.find(definition("call", "i", Integer.toString(i)).key()).orElseThrow();
      int count = (int) total(series);
      List<Long> first = sent.get(i).subList(0, count);
      Histogram expected = new Histogram(1, 1L << 42, 3);
      first.forEach(expected::recordValue);
      assertThat(read.toHistogram(1L << 42)).isEqualTo(expected);
      full += count < 100 ? 1 : 0;
    }
    assertThat(full).isGreaterThan(SERIES / 2);
  }

  @Test
  void register_itsSeriesIsFull_getsTheOverflowSeriesUntilThereIsRoom() throws Exception {
    List<Registration> registered = grow();
    int full = 0;
    while (!registered.get(full).isOfOverflow()) {
      full++;
    }
    assertThat(series(full).key().labels().get("overflow")).isEqualTo("true");

    endIdle();

    assertThat(store.memory().pressure()).isEqualTo(Pressure.NONE);
    assertThat(series(full).key().labels().get("i")).isEqualTo(Integer.toString(full));
  }

  /** Names of ended series are kept for those that come back, and go before labels that count. */
  @Test
  void merge_namesOfEndedSeriesTakeTheMemory_forgetsThemFirst() throws Exception {
    String longText = "x".repeat(1_000);
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 3; i++) {
        store.register(definition("ended", "round", round + longText, "i", i + longText));
      }
      endIdle();
    }
    assertThat(store.memory().heldBytes()).isGreaterThan(600_000);
    Series growing = store.register(definition("growing"));
    SplittableRandom random = new SplittableRandom(5);

    for (int i = 0; i < 4_000; i++) {
      store.mergeWithoutSumMinMax(
          growing,
          decoded(LAYOUT, random.nextLong(1L << random.nextInt(1, 41))),
          clock.millis() - 1000,
          clock.millis());
    }

    assertThat(total(growing)).isEqualTo(4_000);
    assertThat(store.status().overflowSeries()).isZero();
  }
}
