package io.hdrsidecar.sidecar.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.Intervals;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.QueryTurn;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries over a store, held against the sorted list of what was merged into it. */
class PromqlEvaluationTest {
  private static final long SECOND = 1000;
  private static final ExposedEdges EDGES =
      new ExposedEdges(List.of(0.5, 0.99, 1.0), unit -> List.of(0.01, 0.05));

  /** What one interval counted. */
  private record Merged(long endMillis, List<Long> values) {}

  private final HandTurnedClock clock = new HandTurnedClock();
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults(), clock, clock);
  private final List<Merged> merged = new ArrayList<>();
  private final Histogram layout = new Histogram(1, 1L << 42, 3);
  private final long origin = clock.millis();
  private QueryLimits limits = QueryLimits.defaults();

  private void merge(Series series, long fromMillis, long toMillis, long... values)
      throws Exception {
    store.mergeWithoutSumMinMax(
        series, Intervals.decoded(Intervals.LAYOUT, values), fromMillis, toMillis);
    merged.add(new Merged(toMillis, Arrays.stream(values).boxed().toList()));
  }

  /** Some minutes of intervals of 0.5 to 1.5 s, in some series. */
  private void fill(long seed, int minutes, int seriesCount) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < seriesCount; i++) {
      Series series = store.register(Intervals.definition("calls", "host", "h" + i));
      for (long at = origin; at < origin + minutes * 60L * SECOND; ) {
        long end = at + random.nextLong(500, 1500);
        if (random.nextInt(5) > 0) {
          merge(series, at, end, random.longs(20, 1_000, 80_000_000).toArray());
        }
        at = end;
      }
    }
    clock.advance(Duration.ofMinutes(minutes));
  }

  private long[] sorted(long afterMillis, long toMillis) {
    return merged.stream()
        .filter(each -> each.endMillis() > afterMillis && each.endMillis() <= toMillis)
        .flatMap(each -> each.values().stream())
        .mapToLong(each -> each)
        .sorted()
        .toArray();
  }

  private double quantile(long[] sorted, double quantile) {
    int rank = (int) Math.max(1, Math.ceil(Math.nextDown(quantile) * sorted.length));
    long most = layout.highestEquivalentValue(sorted[sorted.length - 1]);
    return Math.min(layout.highestEquivalentValue(sorted[rank - 1]), most) / 1e9;
  }

  private EvaluationScope scope(HeapClaim claim, StepCache cache, BooleanSupplier isGone) {
    return new EvaluationScope(
        new QueryScope(store, 1000, limits, claim, QueryTurn.endless(isGone)),
        EDGES,
        clock.millis(),
        cache);
  }

  private EvaluatedResult over(String query, StepRange range, HeapClaim claim, StepCache cache)
      throws Exception {
    return PromqlEvaluation.of(query, scope(claim, cache, () -> false)).over(range);
  }

  private EvaluatedResult over(String query, StepRange range) throws Exception {
    return PromqlEvaluation.of(query, scope(HeapClaim.unbounded(), NONE, () -> false)).over(range);
  }

  /** No cache. */
  private static final StepCache NONE = none();

  @SuppressWarnings("NullAway")
  private static StepCache none() {
    return null;
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3})
  void windows_ofAnyLengthStepAndOffset_holdWhatEndedInThem(long seed) throws Exception {
    fill(seed, 4, 3);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20; i++) {
      long length = random.nextLong(1, 90) * SECOND / (1 + random.nextInt(3));
      long step = random.nextLong(1, 60) * SECOND / (1 + random.nextInt(3));
      long offset = random.nextLong(0, 60) * SECOND;
      long start = origin + random.nextLong(0, 120) * SECOND + random.nextLong(1000);
      StepRange range = new StepRange(start, start + random.nextLong(1, 200) * SECOND, step);
      String selector = "calls_seconds[" + length + "ms] offset " + offset + "ms";

      // Rates over less than an interval weigh each series by its own.
      String function = length < 1500 ? "increase" : "rate";
      EvaluatedResult counts = over("histogram_count(sum(increase(" + selector + ")))", range);
      EvaluatedResult quantiles =
          over("histogram_quantile(0.9, sum(" + function + "(" + selector + ")))", range);

      for (int at = 0; at < range.times().length; at++) {
        long end = range.times()[at] - offset;
        long[] expected = sorted(end - length, end);
        if (end - length > origin + 2 * SECOND && end < clock.millis()) {
          assertThat(at(counts, range.times()[at])).isEqualTo((double) expected.length);
          assertThat(String.valueOf(at(quantiles, range.times()[at])))
              .isEqualTo(
                  String.valueOf(expected.length == 0 ? Double.NaN : quantile(expected, 0.9)));
        }
      }
    }
  }

  private static double at(EvaluatedResult result, long millis) {
    ResultSeries series = result.series().get(0);
    for (int i = 0; i < series.size(); i++) {
      if (series.timeAt(i) == millis) {
        return series.valueAt(i);
      }
    }
    throw new AssertionError("nothing at " + millis);
  }

  private static String text(EvaluatedResult result) {
    StringBuilder text = new StringBuilder();
    for (ResultSeries each : result.series()) {
      text.append(each.labels()).append(':');
      for (int i = 0; i < each.size(); i++) {
        text.append(each.timeAt(i)).append('=').append(each.valueAt(i)).append(' ');
      }
    }
    return text.toString();
  }

  @Test
  void range_withoutMemoryForAllOfIt_isEvaluatedInParts() throws Exception {
    fill(4, 30, 4);
    StepRange range = new StepRange(origin, clock.millis(), 7 * SECOND);
    String query = "histogram_quantile(0.99, sum by (host) (rate(calls_seconds[20s])))";
    String whole = text(over(query, range));
    HeapShare share = HeapBudget.of(24L << 20).share(HeapBudget.Use.QUERIES);
    assertThat(merged.size() * 168L).as("more than there is").isGreaterThan(share.maxBytes());

    try (HeapClaim claim = share.claim()) {
      assertThat(text(over(query, range, claim, NONE))).isEqualTo(whole);
    }
    assertThat(share.mostHeldBytes()).isLessThanOrEqualTo(share.maxBytes());
    assertThat(share.heldBytes()).isZero();
  }

  @Test
  void steps_thatArePast_areRememberedUntilSomethingArrivesLate() throws Exception {
    fill(5, 4, 2);
    HeapShare share = HeapBudget.of(256L << 20).share(HeapBudget.Use.QUERIES);
    StepRange range = new StepRange(origin + 60 * SECOND, origin + 180 * SECOND, 10 * SECOND);
    String query = "histogram_count(sum(increase(calls_seconds[30s])))";
    try (StepCache cache = new StepCache(share, store)) {
      String first = text(over(query, range, HeapClaim.unbounded(), cache));
      assertThat(share.heldBytes()).isPositive();
      limits = SettingRecords.of(QueryLimits.class, Map.of("query.max-intervals", "1"));
      assertThat(text(over(query, range, HeapClaim.unbounded(), cache))).isEqualTo(first);

      limits = QueryLimits.defaults();
      Series late = store.register(Intervals.definition("calls", "host", "h0"));
      long end = origin + 120 * SECOND;
      merge(late, end - SECOND, end, 7, 8, 9);

      String second = text(over(query, range, HeapClaim.unbounded(), cache));
      assertThat(second).isNotEqualTo(first).isEqualTo(text(over(query, range)));
    }
    assertThat(share.heldBytes()).isZero();
  }

  @Test
  void cache_withoutRoom_forgetsTheQueryAskedLongestAgo() throws Exception {
    fill(6, 4, 2);
    HeapShare share = HeapBudget.of(256L << 20).share(HeapBudget.Use.QUERIES).atMost(8_000);
    StepRange range = new StepRange(origin + 60 * SECOND, origin + 180 * SECOND, 10 * SECOND);
    try (StepCache cache = new StepCache(share, store)) {
      for (int i = 0; i < 20; i++) {
        String query = "histogram_quantile(0." + (10 + i) + ", sum(rate(calls_seconds[30s])))";
        String expected = text(over(query, range));
        assertThat(text(over(query, range, HeapClaim.unbounded(), cache))).isEqualTo(expected);
        assertThat(text(over(query, range, HeapClaim.unbounded(), cache))).isEqualTo(expected);
        assertThat(share.heldBytes()).isBetween(1L, 8_000L);
      }
    }
  }

  @Test
  void history_thatGaveUpResolution_keepsCountsAndSaysSo() throws Exception {
    store.past().keepIn(new History(60_000));
    Series series = store.register(Intervals.definition("calls"));
    for (int i = 0; i < 3600; i++) {
      clock.advance(Duration.ofSeconds(1));
      merge(series, clock.millis() - SECOND, clock.millis(), 1_000_000 + i, 5_000_000);
    }
    StepRange range = new StepRange(origin + 5 * SECOND, clock.millis(), 5 * SECOND);

    EvaluatedResult counts = over("histogram_count(sum(increase(calls_seconds[5s])))", range);
    EvaluatedResult rates = over("histogram_count(sum(rate(calls_seconds[5s])))", range);

    double sum = 0;
    for (int i = 0; i < counts.series().get(0).size(); i++) {
      sum += counts.series().get(0).valueAt(i);
      double rate = rates.series().get(0).valueAt(i);
      assertThat(rate).isLessThanOrEqualTo(4);
    }
    assertThat(sum).isEqualTo(7200);
    assertThat(counts.annotations().warnings())
        .singleElement()
        .asString()
        .contains("are kept of this time and are not cut: a window of 5.0 s holds, whole");
  }

  @Test
  void heatMap_ofMoreBucketsThanMayBe_joinsThemAlike() throws Exception {
    fill(7, 4, 2);
    StepRange range = new StepRange(origin + 60 * SECOND, origin + 180 * SECOND, 10 * SECOND);
    limits = SettingRecords.of(QueryLimits.class, Map.of("query.max-cells", "2000"));

    EvaluatedResult result = over("sum(increase(calls_seconds[10s]))", range);

    ResultSeries series = result.series().get(0);
    int buckets = 0;
    for (int i = 0; i < series.histograms().size(); i++) {
      ResultHistogram each = series.histograms().get(i);
      double count = 0;
      for (int at = 0; at < each.size(); at++) {
        count += each.countAt(at);
        assertThat(each.fromAt(at)).isLessThan(each.toAt(at));
        assertThat(at == 0 || each.fromAt(at) >= each.toAt(at - 1)).isTrue();
      }
      long end = series.histogramTimeAt(i);
      assertThat(count).isEqualTo((double) sorted(end - 10 * SECOND, end).length);
      buckets += each.size();
    }
    assertThat(buckets).isBetween(500, 2_000);
    assertThat(result.annotations().warnings()).singleElement().asString().contains("neighbours");
  }

  @Test
  void tooManyIntervals_areRefusedNamingTheSetting() throws Exception {
    fill(8, 4, 2);
    limits = SettingRecords.of(QueryLimits.class, Map.of("query.max-intervals", "100"));
    StepRange range = new StepRange(origin, clock.millis(), 10 * SECOND);

    assertThatThrownBy(() -> over("sum(rate(calls_seconds[30s]))", range))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("query.max-intervals");
  }

  @Test
  void tooManyNumbers_areRefusedNamingTheSetting() throws Exception {
    fill(10, 4, 2);
    limits = SettingRecords.of(QueryLimits.class, Map.of("query.max-cells", "100"));
    StepRange range = new StepRange(origin, clock.millis(), SECOND);

    assertThatThrownBy(() -> over("rate(calls_seconds_bucket[30s])", range))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("query.max-cells");
  }

  @Test
  void resultThatHasNoRoom_isRefusedWithinTheMemoryThereIs() throws Exception {
    fill(11, 10, 4);
    HeapShare share = HeapBudget.of(24L << 20).share(HeapBudget.Use.QUERIES);
    StepRange range = new StepRange(origin, clock.millis(), SECOND);

    try (HeapClaim claim = share.claim()) {
      assertThatThrownBy(() -> over("increase(calls_seconds[60s])", range, claim, NONE))
          .isInstanceOf(HeapFullException.class);
    }
    assertThat(share.mostHeldBytes()).isLessThanOrEqualTo(share.maxBytes());
    assertThat(share.heldBytes()).isZero();
  }

  @Test
  void selectors_areBounded() {
    assertThatThrownBy(
            () ->
                PromqlEvaluation.of(
                    "a" + " + a".repeat(16), scope(HeapClaim.unbounded(), NONE, () -> false)))
        .hasMessageContaining("more than 16 selectors are not answered at once");
  }

  @Test
  void evaluation_thatNobodyWaitsFor_ends() throws Exception {
    fill(9, 4, 2);
    StepRange range = new StepRange(origin, clock.millis(), 10 * SECOND);

    assertThatThrownBy(
            () ->
                PromqlEvaluation.of(
                        "sum(rate(calls_seconds[30s]))",
                        scope(HeapClaim.unbounded(), NONE, () -> true))
                    .over(range))
        .isInstanceOf(QueryException.class)
        .hasMessage("query was canceled in expression evaluation");
  }

  PromqlEvaluationTest() {
    store.past().keepIn(new History(64L << 20));
  }
}
