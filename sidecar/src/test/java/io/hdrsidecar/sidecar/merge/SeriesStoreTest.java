package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.merge.Intervals.LAYOUT;
import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static io.hdrsidecar.sidecar.merge.Intervals.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesStoreTest {
  private static final SumMinMax SOME = SumMinMax.of(0, 1, true, 1_000, 1 << 20);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final HandTurnedClock clock = new HandTurnedClock();
  private final SeriesStore store = store("1m,10s");
  private final Distribution read = new Distribution();

  private SeriesStore store(String windows) {
    return new SeriesStore(
        new MergeConfig(100, 2, 100_000, WindowSpec.parseList(windows)), clock, clock);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void merge_manyIntervals_equalsOneHistogramFedTheSameValues(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Series series = store.register(definition("checkout"));
    Histogram expected = new Histogram(1, 1L << 42, 3);
    BigInteger sum = BigInteger.ZERO;
    for (int i = 0; i < 200; i++) {
      long[] values = random.longs(100, 0, 1L << random.nextInt(1, 42)).toArray();
      merge(series, LAYOUT, clock.millis(), values);
      for (long value : values) {
        expected.recordValue(value);
        sum = sum.add(BigInteger.valueOf(value));
      }
      clock.advance(Duration.ofSeconds(1));
    }

    series.readTotal(read);

    assertThat(read.toHistogram()).isEqualTo(expected);
    assertThat(read.sum().toBigInteger()).isEqualTo(sum);
    assertThat(read.sumIsExact()).isTrue();
    assertThat(expected.lowestEquivalentValue(read.min()))
        .isEqualTo(expected.lowestEquivalentValue(expected.getMinValue()));
    assertThat(series.intervals()).isEqualTo(200);
    assertThat(store.status().values()).isEqualTo(20_000);
  }

  @Test
  void merge_otherLayout_keepsBothExactly() throws Exception {
    BucketLayout coarse = BucketLayout.of(20_000, 2);
    Series series = store.register(definition("mixed"));
    assertThat(store.register(definition("mixed", Unit.NANOSECONDS, coarse))).isSameAs(series);

    merge(series, LAYOUT, clock.millis(), 344_063);
    merge(series, coarse, clock.millis(), 344_063);
    series.readTotal(read);

    assertThat(series.layouts()).containsExactly(LAYOUT, coarse);
    assertThat(read.count()).isEqualTo(2);
    assertThat(read.size()).isEqualTo(2);
    assertThat(read.highestAt(0)).isEqualTo(LAYOUT.highestValueAt(LAYOUT.indexOf(344_063)));
    assertThat(read.highestAt(1)).isEqualTo(coarse.highestValueAt(coarse.indexOf(344_063)));
    assertThat(read.sum().low()).isEqualTo(2 * 344_063);
  }

  @Test
  void register_moreLayoutsThanAllowed_isRefused() throws Exception {
    store.register(definition("mixed"));
    store.register(definition("mixed", Unit.NANOSECONDS, BucketLayout.of(10, 3)));

    assertThatThrownBy(
            () -> store.register(definition("mixed", Unit.NANOSECONDS, BucketLayout.of(1, 2))))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.CONFIGURATION_LIMIT));
  }

  @Test
  void register_tooManyCounters_isRefused() {
    assertThatThrownBy(
            () -> store.register(definition("fine", Unit.NANOSECONDS, BucketLayout.of(1, 5))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("at most 100000 counters (series.max-counters): ");
    assertThat(store.series()).isEmpty();
  }

  @Test
  void merge_layoutNotRegistered_isRefusedAndChangesNothing() throws Exception {
    Series series = store.register(definition("checkout"));

    assertThatThrownBy(() -> merge(series, BucketLayout.of(1, 2), clock.millis(), 5))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.LAYOUT_MISMATCH));
    assertThat(series.intervals()).isZero();
  }

  @Test
  void merge_countWouldOverflow_isRefusedAndChangesNothing() throws Exception {
    Series series = store.register(definition("huge"));
    PagedCounts nearlyAll = new PagedCounts(LAYOUT);
    nearlyAll.add(LAYOUT.indexOf(5), Long.MAX_VALUE - 1);
    store.merge(series, decoded(nearlyAll), 0, clock.millis(), SumMinMax.of(4, 0, true, 5, 5));

    merge(series, LAYOUT, clock.millis(), 5);
    assertThatThrownBy(() -> merge(series, LAYOUT, clock.millis(), 6))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.COUNT_OVERFLOW));

    series.readTotal(read);
    assertThat(read.count()).isEqualTo(Long.MAX_VALUE);
    assertThat(read.size()).isEqualTo(1);
    assertThat(read.max()).isEqualTo(5);
  }

  @Test
  void merge_sumWouldOverflow_isRefused() throws Exception {
    Series series = store.register(definition("huge"));
    store.merge(
        series,
        decoded(LAYOUT, 5),
        0,
        clock.millis(),
        SumMinMax.of(Long.MAX_VALUE - 1, -1, true, 5, 5));

    assertThatThrownBy(
            () ->
                store.merge(
                    series, decoded(LAYOUT, 5), 0, clock.millis(), SumMinMax.of(1, 0, true, 5, 5)))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void mergeWithoutFigures_takesThemFromTheBuckets() throws Exception {
    Series series = store.register(definition("log"));
    Histogram expected = new Histogram(1, 1L << 42, 3);
    long[] values = {0, 17, 123_456, 123_456, 99_999_999};
    Arrays.stream(values).forEach(expected::recordValue);

    store.mergeWithoutSumMinMax(series, decoded(LAYOUT, values), clock.millis(), clock.millis());
    series.readTotal(read);

    assertThat(read.sumIsExact()).isFalse();
    assertThat(read.sum().toDouble() / 5).isEqualTo(expected.getMean());
    assertThat(read.min()).isZero();
    assertThat(read.max()).isEqualTo(expected.getMaxValue());
  }

  @Test
  void mergeWithoutFigures_emptyHistogram_countsAnIntervalAndNothingElse() throws Exception {
    Series series = store.register(definition("log"));

    store.mergeWithoutSumMinMax(series, decoded(LAYOUT), clock.millis(), clock.millis());
    series.readTotal(read);

    assertThat(series.intervals()).isEqualTo(1);
    assertThat(read.count()).isZero();
    assertThat(read.min()).isEqualTo(Long.MAX_VALUE);
    assertThat(read.sumIsExact()).isTrue();
  }

  @Test
  void readWindow_intervalsOfDifferentAge_eachWindowHoldsItsOwn() throws Exception {
    Series series = store.register(definition("checkout"));
    long now = clock.millis();

    merge(series, LAYOUT, now, 1);
    merge(series, LAYOUT, now - 5_000, 2);
    merge(series, LAYOUT, now - 30_000, 3);
    merge(series, LAYOUT, now - 3_600_000, 4);

    assertThat(window(series, 1)).isEqualTo(2);
    assertThat(window(series, 0)).isEqualTo(3);
    series.readTotal(read);
    assertThat(read.count()).isEqualTo(4);
  }

  @Test
  void advanceWindows_timePasses_windowsEmptyAndTotalsStay() throws Exception {
    Series series = store.register(definition("checkout"));
    merge(series, LAYOUT, clock.millis(), 1, 2, 3);

    clock.advance(Duration.ofSeconds(10));
    store.advanceWindows();
    assertThat(window(series, 1)).isEqualTo(3);
    clock.advance(Duration.ofSeconds(2));
    store.advanceWindows();
    assertThat(window(series, 1)).isZero();
    assertThat(window(series, 0)).isEqualTo(3);
    clock.advance(Duration.ofSeconds(60));
    store.advanceWindows();
    assertThat(window(series, 0)).isZero();

    series.readTotal(read);
    assertThat(read.count()).isEqualTo(3);
  }

  @ParameterizedTest(name = "jump={0}")
  @ValueSource(strings = {"-PT1H", "PT1H", "-PT1S", "PT24H"})
  void merge_wallClockJumps_misplacesAtMostTheIntervalInFlight(Duration jump) throws Exception {
    Series series = store.register(definition("checkout"));
    for (int second = 0; second < 30; second++) {
      clock.advance(Duration.ofSeconds(1));
      long end = clock.millis();
      if (second == 15) {
        clock.jumpWallClock(jump);
      }
      merge(series, LAYOUT, end, second);
      store.advanceWindows();
    }

    assertThat(window(series, 0)).isBetween(29L, 30L);
    assertThat(window(series, 1)).isEqualTo(11); // the last ten seconds and the running one
  }

  @Test
  void merge_endInTheFuture_countsAsNow() throws Exception {
    Series series = store.register(definition("checkout"));

    merge(series, LAYOUT, clock.millis() + 3_600_000, 1);
    assertThat(window(series, 1)).isEqualTo(1);
    clock.advance(Duration.ofSeconds(12));
    store.advanceWindows();

    assertThat(window(series, 1)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, 0, Long.MAX_VALUE})
  void merge_absurdTimes_countInTheTotal(long end) throws Exception {
    Series series = store.register(definition("checkout"));

    store.merge(series, decoded(LAYOUT, 5), Long.MIN_VALUE, end, SumMinMax.of(0, 5, true, 5, 5));

    series.readTotal(read);
    assertThat(read.count()).isEqualTo(1);
  }

  @Test
  void merge_longerThanTheSpan_countsInTheTotalOnly() throws Exception {
    Series series = store.register(definition("checkout"));
    long now = clock.millis();

    store.merge(series, decoded(LAYOUT, 5), now - 30_000, now, SumMinMax.of(0, 5, true, 5, 5));

    assertThat(window(series, 0)).isEqualTo(1);
    assertThat(window(series, 1)).isZero();
  }

  @Test
  void merge_afterWarmUp_allocatesNothing() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Series series = store.register(definition("checkout"));
    long[] values = new SplittableRandom(1).longs(500, 1_000, 1 << 20).toArray();
    List<DecodedHistogram> intervals =
        LongStream.range(1, 9).mapToObj(times -> decoded(LAYOUT, repeated(values, times))).toList();
    // Counters that grow take wider pages, once.
    mergeForSeconds(series, List.of(decoded(LAYOUT, repeated(values, 1 << 10))), 100);
    mergeForSeconds(series, intervals, 500);
    // Once all is compiled, however long that takes here.
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20 && least > 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      mergeForSeconds(series, intervals, 1_000);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }

    assertThat(least).isZero();
  }

  /** The same buckets with other counts: buckets seen for the first time may allocate a page. */
  private static long[] repeated(long[] values, long times) {
    return Arrays.stream(values).flatMap(v -> LongStream.generate(() -> v).limit(times)).toArray();
  }

  private void mergeForSeconds(Series series, List<DecodedHistogram> intervals, int seconds)
      throws Exception {
    for (int second = 0; second < seconds; second++) {
      DecodedHistogram interval = intervals.get(second % intervals.size());
      clock.advance(SECOND);
      store.merge(series, interval, 0, 0, SOME);
      store.merge(series, interval, clock.millis(), clock.millis(), SOME);
    }
  }

  private void merge(Series series, BucketLayout layout, long endMillis, long... values)
      throws RefusedException {
    store.merge(
        series,
        decoded(layout, values),
        endMillis - 1_000,
        endMillis,
        SumMinMax.of(
            0,
            Arrays.stream(values).sum(),
            true,
            Arrays.stream(values).min().getAsLong(),
            Arrays.stream(values).max().getAsLong()));
  }

  private long window(Series series, int index) {
    series.readWindow(index, read);
    return read.count();
  }
}
