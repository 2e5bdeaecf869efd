package io.hdrsidecar.sidecar.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.Intervals;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What belongs together, and what is not added up; expected values are counted by hand. */
class VectorOperatorsTest {
  private static final long SECOND = 1000;
  private static final long MILLI = 1_000_000;
  private static final ExposedEdges EDGES =
      new ExposedEdges(List.of(), unit -> List.of(0.01, 0.05));

  private final HandTurnedClock clock = new HandTurnedClock();
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults(), clock, clock);
  private final long origin = clock.millis();

  VectorOperatorsTest() {
    store.past().keepIn(new History(64L << 20));
    clock.advance(Duration.ofMinutes(2));
  }

  private void merge(long fromMillis, long toMillis, List<String> labels, long... values)
      throws Exception {
    store.mergeWithoutSumMinMax(
        store.register(Intervals.definition("calls", labels.toArray(String[]::new))),
        Intervals.decoded(Intervals.LAYOUT, values),
        fromMillis,
        toMillis);
  }

  /** 1 up to 0.01, 3 up to 0.05, 4 in all. */
  private void mergeFour(String... labels) throws Exception {
    merge(
        origin + 58 * SECOND,
        origin + 59 * SECOND,
        List.of(labels),
        5 * MILLI,
        20 * MILLI,
        30 * MILLI,
        80 * MILLI);
  }

  private List<ResultSeries> at(String query, long seconds) throws Exception {
    EvaluationScope scope =
        new EvaluationScope(
            new QueryScope(store, 1000, QueryLimits.defaults(), HeapClaim.unbounded()),
            EDGES,
            clock.millis(),
            NONE);
    long millis = origin + seconds * SECOND;
    return PromqlEvaluation.of(query, scope).over(new StepRange(millis, millis, SECOND)).series();
  }

  /** No cache. */
  private static final StepCache NONE = none();

  @SuppressWarnings("NullAway")
  private static StepCache none() {
    return null;
  }

  private Map<String, Double> byEdge(String query) throws Exception {
    Map<String, Double> byEdge = new TreeMap<>();
    for (ResultSeries each : at(query, 60)) {
      assertThat(byEdge.put(each.labels().get("le"), each.valueAt(0))).isNull();
    }
    return byEdge;
  }

  private double number(String query, long seconds) throws Exception {
    List<ResultSeries> series = at(query, seconds);
    assertThat(series).hasSize(1);
    return series.get(0).valueAt(0);
  }

  private static double seconds(long millis) {
    return new Histogram(1, 1L << 42, 3).highestEquivalentValue(millis * MILLI) / 1e9;
  }

  @Test
  void bucketsOfSets_belongTogetherByTheirEdges() throws Exception {
    mergeFour("host", "a");
    String all = "increase(calls_seconds_bucket[1m])";
    String last = "increase(calls_seconds_bucket{le=\"+Inf\"}[1m])";
    String count = "increase(calls_seconds_count[1m])";

    assertThat(byEdge(all + " unless " + last)).isEqualTo(Map.of("0.01", 1.0, "0.05", 3.0));
    assertThat(byEdge(all + " and " + last)).isEqualTo(Map.of("+Inf", 4.0));
    assertThat(byEdge(all + " and on (le) " + last)).isEqualTo(Map.of("+Inf", 4.0));
    assertThat(byEdge(last + " or " + all))
        .isEqualTo(Map.of("0.01", 1.0, "0.05", 3.0, "+Inf", 4.0));
    assertThat(byEdge(all + " and " + count)).isEmpty();
    assertThat(byEdge(all + " unless ignoring (le) " + last)).isEmpty();
    assertThat(byEdge(all + " and on (host) " + count))
        .isEqualTo(Map.of("0.01", 1.0, "0.05", 3.0, "+Inf", 4.0));
  }

  @Test
  void setsOfTheSameBuckets_keepAllValues() throws Exception {
    mergeFour("host", "a");
    mergeFour("host", "b");
    String one = "increase(calls_seconds_bucket{host=\"a\"}[1m])";
    String other = "increase(calls_seconds_bucket{host=\"b\"}[1m])";

    assertThat(number("histogram_quantile(0.75, " + one + " and " + one + ")", 60))
        .isEqualTo(seconds(30));
    assertThat(number("histogram_quantile(0.75, sum by (le) (" + one + " or " + other + "))", 60))
        .isEqualTo(seconds(30));
  }

  @Test
  void nativeAndClassicForms_areNotAddedToEachOther() throws Exception {
    mergeFour("host", "a");
    String both = "increase({__name__=~\"calls_seconds(_bucket)?\"}[1m])";

    assertThat(number("histogram_count(sum by (le) (" + both + "))", 60)).isEqualTo(4);
    assertThat(number("histogram_count(avg by (le) (" + both + "))", 60)).isEqualTo(4);
  }

  @Test
  void classicForms_ofSomeEdges_areAddedEdgeByEdge() throws Exception {
    mergeFour("host", "a");
    mergeFour("host", "b");

    assertThat(
            byEdge(
                "sum by (le) (increase(calls_seconds_bucket{host=\"a\", le=\"+Inf\"}[1m])"
                    + " or increase(calls_seconds_bucket{host=\"b\"}[1m]))"))
        .isEqualTo(Map.of("0.01", 1.0, "0.05", 3.0, "+Inf", 8.0));
  }

  @Test
  void histograms_withDifferentBuckets_areNotJoined() {
    HistogramValue classic =
        HistogramValue.of(new Distribution(), 1, Unit.NANOSECONDS, List.of(0.01));
    HistogramValue whole = HistogramValue.of(new Distribution(), 1, Unit.NANOSECONDS, null);

    assertThatThrownBy(() -> classic.and(whole))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("different buckets, le of [0.01] and native ones");
  }

  @Test
  void sumOfRates_dividesEachSeriesByItsOwnLength() throws Exception {
    for (int i = 0; i < 80; i++) {
      merge(origin + i * SECOND, origin + (i + 1) * SECOND, List.of("host", "a"), 5 * MILLI);
    }
    long[] many = new long[120];
    Arrays.fill(many, 80 * MILLI);
    merge(origin, origin + 60 * SECOND, List.of("host", "b"), many);

    // a: 10 in 10 s. b: 120 in 60 s.
    assertThat(number("sum(rate(calls_seconds_count[10s]))", 60)).isEqualTo(3);
    assertThat(number("histogram_count(sum(rate(calls_seconds[10s])))", 60)).isEqualTo(3);
    assertThat(number("sum(increase(calls_seconds_count[10s]))", 60)).isEqualTo(130);
    assertThat(number("histogram_quantile(0.3, sum(rate(calls_seconds[10s])))", 60))
        .isEqualTo(seconds(5));
    assertThat(number("histogram_quantile(0.4, sum(rate(calls_seconds[10s])))", 60))
        .isEqualTo(seconds(80));
    assertThat(number("sum(rate(calls_seconds_count[10s]))", 75)).isEqualTo(1);
    assertThat(number("sum(rate(calls_seconds_count[60s]))", 60)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "increase(calls_seconds_count{kind=\"response\"}[1m])"
            + " + ignoring (kind) increase(calls_seconds_count{kind=\"service\"}[1m])",
        "increase(calls_seconds_count{kind=\"response\"}[1m])"
            + " - ignoring (kind) increase(calls_seconds_count{kind=\"service\"}[1m])",
        "increase(calls_seconds{kind=\"response\"}[1m])"
            + " + ignoring (kind) increase(calls_seconds{kind=\"service\"}[1m])",
        "increase(calls_seconds{kind=\"response\"}[1m])"
            + " + ignoring (kind, corrected) increase(calls_seconds{corrected=\"true\"}[1m])",
        "sum(increase(calls_seconds_count{kind=\"response\"}[1m]))"
            + " + sum(increase(calls_seconds_count{corrected=\"true\"}[1m]))",
        "sum(increase(calls_seconds{kind=\"response\"}[1m]))"
            + " + sum(increase(calls_seconds{kind=\"service\"}[1m]))",
        "sum(histogram_count(increase(calls_seconds{kind=\"response\"}[1m])))"
            + " - sum(histogram_count(increase(calls_seconds{kind=\"service\"}[1m])))",
        "histogram_quantile(0.5, sum(rate(calls_seconds{kind=\"response\"}[1m])))"
            + " + histogram_quantile(0.5, sum(rate(calls_seconds{corrected=\"true\"}[1m])))",
        "2 * max(sum by (kind, corrected) (increase(calls_seconds_count[1m])))"
            + " + sum(increase(calls_seconds_count{kind=\"service\"}[1m]))",
        "sum(sum by (kind) (increase(calls_seconds_count{kind=\"response\"}[1m]))"
            + " or sum by (kind) (increase(calls_seconds_count{kind=\"service\"}[1m])))",
        "sum(label_replace(increase(calls_seconds[1m]), \"kind\", \"\", \"host\", \".*\"))",
        "label_replace(increase(calls_seconds[1m]), \"corrected\", \"\", \"host\", \".*\")",
      })
  void mixtures_areRefused_whateverAddsThem(String query) throws Exception {
    mergeFour("kind", "response");
    mergeFour("kind", "service");
    mergeFour("corrected", "true");

    assertThatThrownBy(() -> at(query, 60))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("must not be added up");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count(increase(calls_seconds_count{kind=\"response\"}[1m]))"
            + " + count(increase(calls_seconds_count{kind=\"service\"}[1m]))",
        "(sum(increase(calls_seconds_count{kind=\"response\"}[1m])) > bool 0)"
            + " + (sum(increase(calls_seconds_count{kind=\"service\"}[1m])) > bool 0)",
      })
  void numbersOfSeries_andComparisons_mayBeAdded(String query) throws Exception {
    mergeFour("kind", "response");
    mergeFour("kind", "service");

    assertThat(number(query, 60)).isIn(2.0, 4.0);
  }

  @Test
  void percentilesOfMixtures_mayBeCompared() throws Exception {
    mergeFour("kind", "response");
    merge(origin, origin + 30 * SECOND, List.of("kind", "service"), 20 * MILLI);

    assertThat(
            number(
                "histogram_quantile(1, increase(calls_seconds{kind=\"response\"}[1m])) - ignoring"
                    + " (kind) histogram_quantile(1,"
                    + " increase(calls_seconds{kind=\"service\"}[1m]))",
                60))
        .isEqualTo(seconds(80) - seconds(20));
  }
}
