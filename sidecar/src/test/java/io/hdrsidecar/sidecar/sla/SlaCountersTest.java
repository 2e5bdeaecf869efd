package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.support.OtlpBuckets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counters of a rule, against the values recorded, while rules change and series come and go. */
class SlaCountersTest {
  private static final long MILLI = 1_000_000;

  private final HandTurnedClock clock = new HandTurnedClock();
  private final Instant start = clock.instant();
  private final SeriesStore store =
      new SeriesStore(
          new MergeConfig(10, 4, 100_000, List.of(), 2048, Duration.ofSeconds(10)), clock, clock);
  private final Recorded recorded = new Recorded(store);
  private final SlaEvaluator evaluator = new SlaEvaluator(store, clock);

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      clock.advance(Duration.ofSeconds(1));
      store.expireIdle();
    }
  }

  private void recordMillis(String label, String value, long... millis) throws Exception {
    long[] values = Arrays.stream(millis).map(m -> m * MILLI).toArray();
    recorded.merge("x", label, value, clock.millis(), values);
  }

  private void use(String selector, String limits) throws Exception {
    evaluator.use(rules(selector, limits));
  }

  private static List<SlaRule> rules(String selector, String limits) throws Exception {
    String yaml = "slas: [{name: pay, selector: '" + selector + "', limits: {" + limits + "}}]";
    return SlaFile.parse(yaml, "test", null);
  }

  private SlaStatus status() {
    evaluator.evaluate();
    return evaluator.statuses().get(0);
  }

  private static SlaCounters.Count count(long good, long events) {
    return new SlaCounters.Count(good, events);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "x   | 50%: 2ms, 100%: 10ms  | stricter",
        "x   | 50%: 8ms, 100%: 20ms  | laxer",
        "x{} | 50%: 4ms, 100%: 10ms  | the same series",
        "x   | 50%: 4ms, 90%: 5ms, 100%: 10ms | one row more"
      })
  void use_nameInForceWithAnotherRule_beginsAtZero(String selector, String limits, String ignored)
      throws Exception {
    use("x", "50%: 4ms, 100%: 10ms");
    recordMillis("route", "a", 1, 3, 7, 15);
    recordMillis("route", "b", 3);
    status();
    pass(6);
    recordMillis("route", "b", 30);
    pass(6); // a has ended
    assertThat(status().counts()).containsExactly(count(3, 6), count(4, 6));
    pass(1);

    use(selector, limits);

    assertThat(status().countedSince()).isEqualTo(start.plusSeconds(13));
    assertThat(status().counts()).isNotEmpty().allMatch(count(0, 0)::equals);
    recordMillis("route", "b", 1, 50, 60);
    assertThat(status().counts()).hasSize(rules("x", limits).get(0).limits().size());
    assertThat(status().counts()).allMatch(count(1, 3)::equals);
    assertThat(status().countedSince()).isEqualTo(start.plusSeconds(13));
  }

  @Test
  void use_nameThatWasGoneForAWhile_beginsAtZero() throws Exception {
    use("x", "100%: 4ms");
    recordMillis("route", "a", 1, 5);
    assertThat(status().counts()).containsExactly(count(1, 2));
    evaluator.use(List.of());

    use("x", "100%: 4ms");

    assertThat(status().counts()).containsExactly(count(0, 0));
  }

  @Test
  void use_sameRuleAgain_countsOn() throws Exception {
    use("x", "100%: 4ms");
    recordMillis("route", "a", 1, 5);

    use("x", "100%: 4ms");

    assertThat(status().counts()).containsExactly(count(1, 2));
    assertThat(status().countedSince()).isEqualTo(start);
  }

  @Test
  void begin_seriesOfBeforeTheRestart_areNotCountedAgain() throws Exception {
    recordMillis("route", "a", 1, 5);
    pass(3);

    evaluator.begin(rules("x", "100%: 4ms"));

    recordMillis("route", "a", 1, 5, 6);
    assertThat(status().counts()).containsExactly(count(1, 3));
    assertThat(status().countedSince()).isEqualTo(start.plusSeconds(3));
    assertThat(status().total()).extracting(Row::events).containsExactly(5L);
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({"kind,response,kind,service", "route,a,corrected,expected_interval"})
  void evaluate_seriesThatMustNotBeJoinedPassesBy_leavesNothing(
      String label, String value, String otherLabel, String other) throws Exception {
    use("x", "100%: 4ms");
    recordMillis(label, value, 1, 3, 15);
    assertThat(status().counts()).containsExactly(count(2, 3));
    recordMillis(otherLabel, other, 2, 2, 20, 20);
    assertThat(status().counted()).isFalse();
    pass(6);
    recordMillis(label, value, 2);
    pass(6);

    SlaStatus healed = status();

    assertThat(healed.series()).hasSize(1);
    assertThat(healed.counted()).isTrue();
    assertThat(healed.counts()).containsExactly(count(3, 4));
    assertThat(healed.total()).extracting(Row::events).containsExactly(4L);
    assertThat(healed.countedSince()).isEqualTo(start);
    pass(6);
    assertThat(status().counts()).as("all have ended").containsExactly(count(3, 4));
  }

  @Test
  void evaluate_seriesOfAnotherUnitPassesBy_leavesNothing() throws Exception {
    use("{__name__=~\"x|y\"}", "100%: 4ms");
    recordMillis("route", "a", 1, 3, 15);
    assertThat(status().counts()).containsExactly(count(2, 3));
    recorded.merge(Recorded.LAYOUT, Unit.BYTES, "y", "route", "a", clock.millis(), 7, 8, 9);
    assertThat(status().trouble()).contains("different units");
    assertThat(status().counted()).isFalse();
    pass(6);
    recordMillis("route", "a", 2);
    pass(6); // y has ended

    assertThat(status().trouble()).isEmpty();
    assertThat(status().counts()).containsExactly(count(3, 4));
  }

  @Test
  void evaluate_remainingMustNotJoinWhatWasCounted_beginsAtZero() throws Exception {
    use("x", "100%: 4ms");
    recorded.merge("x", "kind", "response", clock.millis(), MILLI, 9 * MILLI);
    recordMillis("route", "b", 1);
    assertThat(status().counts()).containsExactly(count(2, 3));
    pass(6);
    recordMillis("kind", "service", 2, 20);
    recordMillis("route", "b", 1);
    status();
    pass(6); // response has ended, beside a mixture until then
    recordMillis("route", "b", 3);

    SlaStatus withService = status();

    assertThat(withService.counts())
        .as("service times do not go on where response times ended")
        .containsExactly(count(0, 0));
    assertThat(withService.countedSince()).isEqualTo(start.plusSeconds(12));
    recordMillis("kind", "service", 1, 30);
    assertThat(status().counts()).containsExactly(count(1, 2));
  }

  @Test
  void evaluate_onlyOtherSortsLeft_beginsAnew() throws Exception {
    use("x", "100%: 4ms");
    recordMillis("kind", "response", 1, 9);
    assertThat(status().counts()).containsExactly(count(1, 2));
    pass(11);
    assertThat(status().counts()).containsExactly(count(1, 2));

    recordMillis("kind", "service", 1, 1, 9);

    assertThat(status().counts()).containsExactly(count(0, 0));
    assertThat(status().countedSince()).isEqualTo(start.plusSeconds(11));
    assertThat(status().total()).extracting(Row::events).containsExactly(3L);
    recordMillis("kind", "service", 1, 9);
    assertThat(status().counts()).containsExactly(count(1, 2));
  }

  /** A point of delta temporality with bounds of 100 and 250 ms, by its largest value. */
  private void point(int fast, int slow, int above, long maxMillis) throws Exception {
    long[] bounds = {100 * MILLI, 250 * MILLI};
    long[] values =
        LongStream.concat(
                LongStream.concat(
                    LongStream.generate(() -> 50 * MILLI).limit(fast),
                    LongStream.generate(() -> 200 * MILLI).limit(slow)),
                LongStream.generate(() -> maxMillis * MILLI).limit(above))
            .toArray();
    OtlpBuckets.merge(
        store, "x", OtlpBuckets.explicit(bounds, values), OtlpBuckets.sumMinMax(values));
  }

  /** Whether they are within the limit, a later point might make one doubt; so they never are. */
  @Test
  void evaluate_limitAboveTheLastBound_isThatBoundWhateverTheMaximum() throws Exception {
    use("x", "90%: 500ms, 100%: none");
    point(900, 50, 50, 400);
    assertThat(status().counts()).containsExactly(count(950, 1_000));
    point(90, 9, 1, 800);
    assertThat(status().counts()).containsExactly(count(1_049, 1_100));
    point(0, 0, 100, 400);

    SlaStatus last = status();

    assertThat(last.counts()).containsExactly(count(1_049, 1_200));
    assertThat(last.countedSince()).isEqualTo(start);
    assertThat(last.total())
        .as("verdicts agree: of 1200 values 1049 are not 90 %")
        .singleElement()
        .satisfies(row -> assertThat(row.met()).isFalse())
        .satisfies(row -> assertThat(row.good()).isEqualTo(1_049))
        .satisfies(row -> assertThat(row.snappedLimit()).isEqualTo(250 * MILLI));
  }
}
