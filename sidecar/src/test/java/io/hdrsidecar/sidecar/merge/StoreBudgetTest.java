package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.merge.Intervals.LAYOUT;
import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static io.hdrsidecar.sidecar.merge.Intervals.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.MemoryState;
import io.hdrsidecar.sidecar.limits.MemoryState.Pressure;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.JoinedCounts;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is given up when series hold more than they may: windows, labels, counts, in this order. */
class StoreBudgetTest {
  private static final Duration IDLE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Seven pages of counters, of 152 bytes each while they hold few values, reckoned as 560. */
  private static final long[] WIDE = {
    1, 1L << 12, 1L << 16, 1L << 20, 1L << 24, 1L << 28, 1L << 32
  };

  /** So many values in each of these take counters of 32 bits, as they are reserved. */
  private static final long MANY = 1L << 16;

  private final HandTurnedClock clock = new HandTurnedClock();
  private final Distribution read = new Distribution();

  private SeriesStore store(long maxMemoryBytes) {
    return new SeriesStore(config(maxMemoryBytes), clock, clock);
  }

  private static MergeConfig config(long maxMemoryBytes) {
    return new MergeConfig(
        1000, 2, 50_000, WindowSpec.parseList("10s"), 2048, IDLE, maxMemoryBytes);
  }

  private void pass(SeriesStore store, Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      clock.advance(SECOND);
      store.expireIdle();
      store.advanceWindows();
    }
  }

  private void send(SeriesStore store, Series to, long... values) throws RefusedException {
    send(store, to, decoded(LAYOUT, values));
  }

  private void send(SeriesStore store, Series to, DecodedHistogram interval)
      throws RefusedException {
    store.mergeWithoutSumMinMax(to, interval, clock.millis() - 1000, clock.millis());
    MemoryState now = store.memory();
    assertThat(now.heldBytes()).isLessThanOrEqualTo(now.limitBytes());
  }

  private static Series series(SeriesStore store, int i) throws RefusedException {
    return store.register(definition("call", "i", Integer.toString(i)));
  }

  private long total(Series series) {
    series.readTotal(read);
    return read.count();
  }

  private long window(Series series) {
    series.readWindow(0, read);
    return read.count();
  }

  /** The same by the way that joins many series. */
  private static long joinedWindow(Series series) {
    JoinedCounts joined = new JoinedCounts();
    joined.add(0, one -> series.readWindow(0, one));
    Distribution all = new Distribution();
    joined.addTo(all);
    return all.count();
  }

  /** What so many series hold when nothing limits them. */
  private MemoryState unlimited(int count, DecodedHistogram interval) throws Exception {
    SeriesStore store = store(Long.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      send(store, series(store, i), interval);
    }
    return store.memory();
  }

  @Test
  void merge_countsFitAndWindowsDoNot_givesUpWindowsAloneAndLosesNoCount() throws Exception {
    MemoryState all = unlimited(40, times(MANY));
    SeriesStore store = store(all.reservedBytes() * 10 / 9 + all.windowBytes() / 4);
    List<Series> series = new ArrayList<>();
    long sent = 5 * MANY * WIDE.length;

    for (int round = 0; round < 5; round++) {
      pass(store, SECOND);
      for (int i = 0; i < 40; i++) {
        series.add(series(store, i));
        send(store, series.get(series.size() - 1), times(MANY));
      }
    }

    assertThat(store.memory().pressure()).isEqualTo(Pressure.WINDOWS);
    assertThat(store.memory().seriesWithoutWindows()).isBetween(1L, 39L);
    assertThat(store.memory().trouble()).contains("series have no windows");
    assertThat(store.status().overflowSeries()).isZero();
    assertThat(store.status().rejected()).isEmpty();
    assertThat(store.series()).hasSize(40).allMatch(s -> total(s) == sent);
    // Those that have windows have all of the last seconds; none shows a part.
    assertThat(store.series()).allMatch(s -> List.of(0L, sent).contains(window(s)));
    assertThat(store.series().stream().filter(s -> window(s) == 0).count())
        .isEqualTo(store.memory().seriesWithoutWindows());
  }

  @Test
  void merge_countersAreNarrow_windowsUseWhatIsReservedForThemAndGoWhenTheyWiden()
      throws Exception {
    MemoryState narrow = unlimited(40, decoded(LAYOUT, WIDE));
    MemoryState wide = unlimited(40, times(MANY));
    assertThat(narrow.reservedBytes()).isEqualTo(wide.reservedBytes());
    SeriesStore store = store(narrow.reservedBytes() * 100 / 81 + 1000);
    List<Series> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      all.add(series(store, i));
      send(store, all.get(i), WIDE);
    }
    assertThat(store.memory().pressure()).isEqualTo(Pressure.NONE);
    assertThat(all).allMatch(s -> window(s) == WIDE.length);

    for (Series series : all) {
      send(store, series, times(MANY));
      assertThat(store.status().bytes()).isLessThanOrEqualTo(store.memory().limitBytes());
    }
    assertThat(store.memory().pressure()).isEqualTo(Pressure.WINDOWS);
    assertThat(store.status().rejected()).isEmpty();
    assertThat(all).allMatch(s -> total(s) == (MANY + 1) * WIDE.length);
  }

  @Test
  void merge_roomAgain_feedsWindowsAndShowsThemWhenTheyAreFull() throws Exception {
    SeriesStore store = store(unlimited(40, times(MANY)).reservedBytes() * 10 / 9 + 1000);
    for (int i = 0; i < 40; i++) {
      send(store, series(store, i), times(MANY));
    }
    Series kept = series(store, 0);
    assertThat(kept.windowState().isFed()).isFalse();

    for (int second = 0; second < 60; second++) {
      pass(store, SECOND);
      send(store, kept, WIDE); // All others are idle and end.
    }
    assertThat(store.series()).containsExactly(kept);
    assertThat(store.memory().pressure()).isEqualTo(Pressure.NONE);
    int hidden = 0;
    while (window(kept) == 0 && hidden < 20) {
      pass(store, SECOND);
      send(store, kept, 7);
      hidden++;
      assertThat(joinedWindow(kept)).isEqualTo(window(kept));
    }

    assertThat(hidden).isBetween(9, 12);
    assertThat(window(kept)).isBetween(10L, 12L + WIDE.length);
    assertThat(total(kept)).isEqualTo((MANY + 60) * WIDE.length + hidden);
  }

  @Test
  void register_littleMemoryLeft_sharesTheOverflowSeriesAndConservesCounts() throws Exception {
    SeriesStore store = store(unlimited(20, decoded(LAYOUT, WIDE)).reservedBytes() * 12 / 10);
    long sent = 0;
    for (int i = 0; i < 500; i++) {
      send(store, series(store, i), WIDE);
      sent += WIDE.length;
    }
    pass(store, SECOND);

    assertThat(store.memory().pressure()).isEqualTo(Pressure.LABELS);
    assertThat(store.status().overflowSeries()).isEqualTo(1);
    assertThat(store.status().rejected()).isEmpty();
    assertThat(store.series().stream().mapToLong(this::total).sum()).isEqualTo(sent);
    // Time resolution went before any label did.
    assertThat(store.memory().windowBytes()).isZero();
    assertThat(store.series()).allMatch(s -> window(s) == 0);

    pass(store, IDLE);
    assertThat(store.memory().pressure()).isEqualTo(Pressure.NONE);
    assertThat(series(store, 600).key().labels().get("i")).isEqualTo("600");
  }

  @Test
  void merge_noMemoryLeft_refusesWhatNeedsSomeAndCountsTheRest() throws Exception {
    SeriesStore store = store(125_000);
    Series first = series(store, 0);
    send(store, first, 7);
    long counted = 1;
    long lost = 0;
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 1; i < 400; i++) {
      try {
        send(store, series(store, i), random.nextLong(1L << 41), random.nextLong(1L << 41));
        counted += 2;
      } catch (RefusedException e) {
        assertThat(e.reason()).isEqualTo(RejectReason.MEMORY_LIMIT);
        lost += 2;
      }
    }
    assertThat(lost).isPositive();
    assertThat(store.memory().pressure()).isEqualTo(Pressure.COUNTS);
    assertThat(store.series().stream().mapToLong(this::total).sum()).isEqualTo(counted);
    assertThat(counted + lost).isEqualTo(1 + 399 * 2);

    send(store, first, 7, 7, 7); // Falls into counters that exist.
    assertThat(total(first)).isEqualTo(4);
    assertThatThrownBy(() -> send(store, first, WIDE))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("series.max-memory of 125000 bytes");
    assertThat(total(first)).isEqualTo(4);

    pass(store, IDLE);
    assertThat(store.memory().pressure()).isEqualTo(Pressure.NONE);
    send(store, series(store, 0), WIDE);
  }

  /** Traffic that stays as it is needs wider counters with time: they were admitted with it. */
  @Test
  void merge_noMemoryForMoreCountersAndTheseWiden_refusesNothingOfWhatExists() throws Exception {
    SeriesStore store = store(200_000);
    List<Series> full = seriesUntilOneIsFull(store);
    assertThat(full).hasSizeGreaterThanOrEqualTo(10).doesNotHaveDuplicates();
    assertThat(store.memory().pressure()).isEqualTo(Pressure.LABELS);

    for (long times : new long[] {300, 70_000, 1L << 31}) {
      for (Series series : full) {
        send(store, series, times(times));
      }
    }

    assertThat(full).allMatch(s -> total(s) == WIDE.length * (1 + 300 + 70_000 + (1L << 31)));
    // What nobody foresees is 2^32 values in one page.
    assertThatThrownBy(
            () -> {
              for (Series series : full) {
                send(store, series, times(1L << 32));
              }
            })
        .isInstanceOf(RefusedException.class);
  }

  private List<Series> seriesUntilOneIsFull(SeriesStore store) {
    List<Series> full = new ArrayList<>();
    while (true) {
      try {
        Series series = store.register(definition("call" + full.size()));
        send(store, series, WIDE);
        if (store.status().overflowSeries() > 0) {
          return full; // It has what was sent last.
        }
        full.add(series);
      } catch (RefusedException e) {
        return full;
      }
    }
  }

  private static DecodedHistogram times(long count) {
    PagedCounts counts = new PagedCounts(LAYOUT);
    for (long value : WIDE) {
      counts.add(LAYOUT.indexOf(value), count);
    }
    return decoded(counts);
  }

  @Test
  void register_namesByTheHundred_refusesWhatDoesNotFit() throws Exception {
    SeriesStore store = store(500_000);
    int refused = 0;
    for (int i = 0; i < 200; i++) {
      try {
        store.register(definition("name" + i));
      } catch (RefusedException e) {
        assertThat(e.reason()).isEqualTo(RejectReason.MEMORY_LIMIT);
        refused++;
      }
      assertThat(store.memory().heldBytes()).isLessThanOrEqualTo(500_000);
    }

    assertThat(refused).isPositive();
    assertThat(store.series()).hasSize(200 - refused);
    assertThat(store.status().overflowSeries()).isPositive();
    assertThat(store.series()).noneMatch(s -> s.layouts().isEmpty());
  }

  @Test
  void register_namesOfEndedSeriesTakeTheMemory_forgetsThemFirst() throws Exception {
    SeriesStore store = store(260_000);
    List<Registration> ended = new ArrayList<>();
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < 15; i++) {
        ended.add(series(store, 100 * round + i).registration(LAYOUT));
      }
      pass(store, IDLE);
    }
    List<Series> living = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      living.add(series(store, 1000 + i));
    }

    assertThat(living).doesNotHaveDuplicates();
    assertThat(store.status().overflowSeries()).isZero();
    assertThat(ended.get(0).isForgotten()).isTrue();
    assertThat(store.memory().pressure()).isEqualTo(Pressure.NONE);
  }

  @Test
  void expireIdle_windowsHoldCounts_givesTheirMemoryBackAtOnce() throws Exception {
    MergeConfig longWindow =
        new MergeConfig(10, 2, 50_000, WindowSpec.parseList("1h"), 2048, IDLE, 1 << 20);
    SeriesStore store = new SeriesStore(longWindow, clock, clock);
    send(store, series(store, 0), WIDE);
    send(store, series(store, 1), WIDE);
    assertThat(store.memory().windowBytes()).isGreaterThan(2L * WIDE.length * 152);

    pass(store, IDLE);

    assertThat(store.series()).isEmpty();
    assertThat(store.memory().windowBytes()).isZero();
  }

  /** The running figures against the series themselves, after all kinds of change. */
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void memory_seriesBeginGrowAndEnd_isWhatTheSeriesHold(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    SeriesStore store = store(200_000);
    long counted = 0;
    for (int i = 0; i < 3000; i++) {
      try {
        send(
            store, series(store, random.nextInt(60)), random.nextLong(1L << random.nextInt(1, 42)));
        counted++;
      } catch (RefusedException e) {
        assertThat(e.reason()).isEqualTo(RejectReason.MEMORY_LIMIT);
      }
      if (random.nextInt(10) == 0) {
        pass(store, Duration.ofSeconds(random.nextInt(8)));
      }
    }

    assertThat(store.status().intervals()).isEqualTo(counted);
    assertThat(store.status().expired()).isPositive();
    assertThat(store.memory().windowBytes())
        .isEqualTo(store.series().stream().mapToLong(SeriesBytes::ofWindows).sum());
    assertThat(store.memory().seriesWithoutWindows())
        .isEqualTo(store.series().stream().filter(s -> !s.windowState().isFed()).count());
    long taken =
        store.memory().reservedBytes()
            - store.series().stream().mapToLong(SeriesBytes::untaken).sum()
            + store.memory().windowBytes();
    assertThat(store.memory().heldBytes())
        .isEqualTo(Math.max(store.memory().reservedBytes(), taken));
    pass(store, IDLE.multipliedBy(2));
    assertThat(store.series()).isEmpty();
    assertThat(store.memory().windowBytes()).isZero();
    assertThat(store.memory().seriesWithoutWindows()).isZero();
    // Names of ended series are all that is left: 61 labels, the last of each ending.
    assertThat(store.memory().heldBytes()).isBetween(1L, 200_000L);
  }
}
