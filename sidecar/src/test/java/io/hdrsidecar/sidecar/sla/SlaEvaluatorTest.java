package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.sla.SlaStatus.WindowStatus;
import io.hdrsidecar.sidecar.support.OtlpBuckets;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verdicts against sorted raw lists. */
class SlaEvaluatorTest {
  private final HandTurnedClock clock = new HandTurnedClock();
  private final Instant start = clock.instant();
  private final SeriesStore store =
      new SeriesStore(
          new MergeConfig(10, 4, 100_000, WindowSpec.parseList("10s,1m")), clock, clock);
  private final Recorded recorded = new Recorded(store);
  private final SlaEvaluator evaluator = new SlaEvaluator(store, clock);

  private Instant at(long seconds) {
    return start.plusSeconds(seconds);
  }

  private void goTo(long seconds) {
    clock.advance(Duration.between(clock.instant(), at(seconds)));
    store.advanceWindows();
  }

  private static SlaRule rule(String name, String selector, String... rows) throws Exception {
    StringBuilder yaml =
        new StringBuilder("slas:\n  - name: ")
            .append(name)
            .append("\n    selector: '")
            .append(selector)
            .append("'\n    limits:\n");
    for (String row : rows) {
      yaml.append("      ").append(row).append('\n');
    }
    return SlaFile.parse(yaml.toString(), "test", null).get(0);
  }

  private SlaStatus status(String name) {
    evaluator.evaluate();
    return evaluator.statuses().stream()
        .filter(status -> status.rule().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** A thread without rules sleeps; rules that come must wake it. */
  @Test
  void start_rulesComeLater_areJudgedInEachSecondFromThenOn() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch judgedAgain = new CountDownLatch(3);
    InstantSource counting =
        () -> {
          begun.countDown();
          judgedAgain.countDown();
          return start;
        };
    try (SlaEvaluator running = new SlaEvaluator(store, counting)) {
      running.start();
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
      running.use(List.of(rule("late", "x", "100%: 2ms")));

      assertThat(judgedAgain.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(running.statuses()).hasSize(1);
    }
  }

  /** Nobody knows which values above the last bound of their sender are within a limit there. */
  @Test
  void good_ofABucketWithoutBound_isWhatIsSurelyWithinTheLimit() throws Exception {
    long[] values = {500_000, 2_000_000, 700_000_000};
    Distribution counted = new Distribution();
    OtlpBuckets.merge(
            store,
            "open",
            OtlpBuckets.explicit(new long[] {1_000_000, 5_000_000}, values),
            OtlpBuckets.sumOnly(values))
        .readTotal(counted);

    assertThat(Row.good(counted, 2_000_000_000)).isEqualTo(2);
    assertThat(Row.good(counted, 1_000_000)).isEqualTo(1);
    assertThat(Row.snapped(2_000_000_000, store.series().iterator().next().layouts()))
        .isEqualTo(5_000_000);
    assertThat(Row.snapped(2_000_000, store.series().iterator().next().layouts()))
        .isEqualTo(5_000_000);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void evaluate_randomValues_agreesWithTheSortedList(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    SlaRule rule =
        rule("x", "x", "50%: 3ms", "90%: 12.345678ms", "99.9%: 60ms", "100%: 90.123456ms");
    evaluator.use(List.of(rule));
    long[] all = {};
    for (int i = 0; i < 3; i++) {
      long[] values = new long[random.nextInt(1, 5_000)];
      Arrays.setAll(values, v -> (long) (-Math.log(1 - random.nextDouble()) * 1e7));
      recorded.merge("x", "route", "r" + i, clock.millis(), values);
      all = Recorded.joined(all, values);
    }
    Arrays.sort(all);

    SlaStatus status = status("x");

    assertThat(status.windows()).extracting(WindowStatus::window).containsExactly("10s", "1m");
    for (List<Row> rows :
        List.of(status.total(), status.windows().get(0).rows(), status.windows().get(1).rows())) {
      for (Row row : rows) {
        assertRow(row, all);
      }
    }
  }

  /** By hand: HdrHistogram's rule for the rank, the edge of the limit's bucket for good ones. */
  private static void assertRow(Row row, long[] sorted) {
    double percentile = row.limit().percentile().doubleValue();
    int rank = (int) Math.max(1, Math.ceil(Math.nextDown(percentile) * sorted.length / 100));
    long rawPercentile = sorted[rank - 1];
    BucketLayout layout = Recorded.LAYOUT;
    long snapped = layout.highestValueAt(layout.indexOf(row.limitInUnit()));
    assertThat(row.snappedLimit()).isEqualTo(snapped);
    assertThat(row.events()).isEqualTo(sorted.length);
    assertThat(row.good()).isEqualTo(Arrays.stream(sorted).filter(v -> v <= snapped).count());
    assertThat(row.met()).isEqualTo(rawPercentile <= snapped);
    assertThat(row.actual())
        .isEqualTo(
            Math.min(
                layout.highestValueAt(layout.indexOf(rawPercentile)), sorted[sorted.length - 1]));
  }

  @Test
  void evaluate_ruleAddedAfterTheValues_countsThePast() throws Exception {
    recorded.merge("x", "route", "a", clock.millis(), 1_000_000, 5_000_000);
    goTo(300);

    evaluator.use(List.of(rule("late", "x", "50%: 2ms", "100%: 2ms")));

    SlaStatus status = status("late");
    assertThat(status.total()).extracting(Row::good).containsExactly(1L, 1L);
    assertThat(status.total()).extracting(Row::events).containsExactly(2L, 2L);
    assertThat(status.countedSince()).isEqualTo(start);
    assertThat(status.windows()).allMatch(window -> window.rows().isEmpty());
  }

  @Test
  void evaluate_selectorWithoutSeries_isNotGreenAndCountsNothing() throws Exception {
    evaluator.use(List.of(rule("none", "nothing", "100%: 2ms")));

    SlaStatus status = status("none");

    assertThat(status.trouble()).isEqualTo("no series matches the selector");
    assertThat(status.windows()).allMatch(window -> window.rows().isEmpty());
    assertThat(status.counted()).isTrue();
    assertThat(status.total()).isEmpty();
  }

  @Test
  void evaluate_seriesThatBeginLater_areFound() throws Exception {
    evaluator.use(List.of(rule("x", "x", "100%: 2ms")));
    assertThat(status("x").series()).isEmpty();

    recorded.merge("x", "route", "a", clock.millis(), 1_000_000);

    assertThat(status("x").series()).containsExactly("x{route=\"a\"}");
    assertThat(status("x").total().get(0).events()).isEqualTo(1);
  }

  @Test
  void evaluate_rawAndCorrected_areNotAddedUp() throws Exception {
    recorded.merge("x", "corrected", "expected_interval", clock.millis(), 1_000_000);
    recorded.merge("x", "route", "a", clock.millis(), 1_000_000);
    evaluator.use(List.of(rule("x", "x", "100%: 2ms")));

    SlaStatus status = status("x");

    assertThat(status.trouble()).startsWith("the selector matches series that differ in the label");
    assertThat(status.counted()).isFalse();
    assertThat(status.windows()).allMatch(window -> window.rows().isEmpty());
  }

  @Test
  void evaluate_limitsOfAnotherUnit_areNotJudged() throws Exception {
    recorded.merge("x", "route", "a", clock.millis(), 1_000_000);
    evaluator.use(List.of(rule("x", "x", "100%: 2KiB")));

    assertThat(status("x").trouble())
        .isEqualTo("limits are sizes, but x{route=\"a\"} has the unit ns");
  }

  @Test
  void evaluate_layoutsOfDifferentPrecision_countEachInItsOwnBuckets() throws Exception {
    BucketLayout coarse = BucketLayout.of(1_000_000, 1);
    recorded.merge(
        coarse, Unit.NANOSECONDS, "x", "route", "a", clock.millis(), 20_900_000, 40_000_000);
    recorded.merge("x", "route", "a", clock.millis(), 20_000_000, 20_900_000);
    evaluator.use(List.of(rule("x", "x", "50%: 20ms", "100%: 20ms")));

    Row row = status("x").total().get(0);

    assertThat(coarse.highestValueAt(coarse.indexOf(20_000_000)))
        .as("the coarse bucket of 20 ms holds 20.9 ms")
        .isGreaterThan(20_900_000);
    assertThat(row.events()).isEqualTo(4);
    assertThat(row.good()).isEqualTo(2);
  }

  @Test
  void since_verdictThatChanges_isTheTimeOfTheChange() throws Exception {
    evaluator.use(List.of(rule("x", "x", "100%: 2ms")));
    recorded.merge("x", "route", "a", clock.millis(), 1_000_000);
    assertThat(status("x").windows().get(0).since()).containsExactly(clock.instant());
    goTo(5);
    assertThat(status("x").windows().get(0).since()).containsExactly(at(0));

    recorded.merge("x", "route", "a", clock.millis(), 3_000_000);

    WindowStatus broken = status("x").windows().get(0);
    assertThat(broken.rows().get(0).met()).isFalse();
    assertThat(broken.since()).containsExactly(at(5));
    goTo(7);
    assertThat(status("x").windows().get(0).since()).containsExactly(at(5));
  }

  @Test
  void use_otherRulesBeside_keepWhatIsKnown() throws Exception {
    SlaRule kept = rule("kept", "x", "100%: 2ms");
    recorded.merge("x", "route", "a", clock.millis(), 3_000_000);
    evaluator.use(List.of(kept));
    goTo(5);

    evaluator.use(List.of(rule("new", "x", "100%: 1ms"), kept));

    assertThat(status("kept").windows().get(0).since()).containsExactly(at(0));
    assertThat(status("new").windows().get(0).since()).containsExactly(at(5));
    assertThat(evaluator.statuses())
        .extracting(status -> status.rule().name())
        .containsExactly("new", "kept");
  }

  @Test
  void problemsOf_windowThatIsNotThere_isNamed() throws Exception {
    SlaRule rule =
        SlaFile.parse(
                "slas: [{name: a, selector: a, windows: 5m, limits: {100%: 1s}}]", "test", null)
            .get(0);

    assertThat(evaluator.problemsOf(List.of(rule)))
        .containsExactly("sla a: not a window of the running sidecar: 5m");
  }
}
