package io.hdrsidecar.sidecar.otlp;

import static io.hdrsidecar.sidecar.otlp.NumberRequests.at;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.counter;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.gauge;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.number;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.page;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.sum;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.text;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.upDown;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.otlp.OtlpIntake.Outcome;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What sums add to the page where counters and gauges are kept. */
final class SumPointsTest {
  private final TakenRequests taken = NumberRequests.keeping(10);

  @Test
  void take_aCumulativeCounter_addsTheFirstAndTheDifferences_toTheLastDigit() throws Exception {
    taken.take(counter("a", false, number(1, 10, 0.1)));
    taken.take(counter("a", false, number(1, 20, 0.3)));
    taken.take(counter("a", false, number(1, 30, 0.7)));

    assertThat(page(taken)).containsExactly("a_total 0.7");
    assertThat(text(taken)).contains("# TYPE a_total counter\n");
    assertThat(taken.keys()).as("series").isEqualTo("[]");
    assertThat(taken.metric("otlp.points", "")).isEqualTo(3);
  }

  /** Ten times a tenth is one, and above 2^53 no double has the next whole number. */
  @Test
  void take_deltas_addsThem_toTheLastDigit() throws Exception {
    for (int i = 1; i <= 10; i++) {
      taken.take(counter("a", true, number(i, i + 1, 0.1)));
    }
    taken.take(counter("b", true, whole(1, 2, 1L << 53), whole(2, 3, 1), whole(3, 4, 1)));
    taken.take(counter("c", true, whole(1, 2, 5), number(2, 3, 0.5)));

    assertThat(page(taken))
        .containsExactly("a_total 1.0", "b_total 9.007199254740994E15", "c_total 5.5");
  }

  /** The exporter has sent a request again, as it saw no answer. */
  @Test
  void take_aCumulativePointAgain_addsNothing() throws Exception {
    taken.take(counter("a", false, whole(1, 10, 7)));
    Outcome again = taken.take(counter("a", false, whole(1, 10, 7)));

    assertThat(page(taken)).containsExactly("a_total 7.0");
    assertThat(again.rejected()).isZero();
  }

  @Test
  void take_aLaterStart_isARestart_andCountsWhole() throws Exception {
    taken.take(counter("a", false, whole(1, 10, 10)));
    taken.take(counter("a", false, whole(12, 20, 300)));

    assertThat(page(taken)).containsExactly("a_total 310.0");
    assertThat(taken.metric("otlp.resets", "start_time")).isEqualTo(1);
  }

  @Test
  void take_lessThanBefore_isAReset_andCountsWhole() throws Exception {
    taken.take(counter("a", false, whole(1, 10, 10), number(1, 20, 2.5)));

    assertThat(page(taken)).containsExactly("a_total 12.5");
    assertThat(taken.metric("otlp.resets", "count")).isEqualTo(1);
  }

  @Test
  void take_aPointThatWasOvertaken_addsNothingAndIsNoError() throws Exception {
    taken.take(counter("a", false, whole(1, 20, 10)));
    Outcome late = taken.take(counter("a", false, whole(1, 10, 4)));

    assertThat(page(taken)).containsExactly("a_total 10.0");
    assertThat(late.rejected()).isZero();
    assertThat(taken.metric("otlp.not_kept.points", "out_of_order")).isEqualTo(1);
  }

  /** A sidecar before this one may have counted what was before. */
  @Test
  void take_aStartBeforeTheSidecarOrNone_countsFromTheSecondPointOn() throws Exception {
    Outcome first =
        taken.take(
            counter("a", false, whole(-100, 10, 1000)),
            counter("b", false, whole(1, 10, 50).setStartTimeUnixNano(0)));
    assertThat(page(taken)).containsExactly("a_total 0.0", "b_total 0.0");
    assertThat(first.rejected()).isZero();
    assertThat(taken.metric("otlp.not_kept.points", "unknown_start")).isEqualTo(2);

    taken.take(
        counter("a", false, whole(-100, 20, 1003)),
        counter("b", false, whole(1, 20, 52).setStartTimeUnixNano(0)));
    assertThat(page(taken)).containsExactly("a_total 3.0", "b_total 2.0");
  }

  @Test
  void take_aStreamThatWasForgotten_countsFromTheSecondPointOn() throws Exception {
    taken.take(counter("a", false, whole(1, 10, 5)));
    taken.nowMillis += Duration.ofMinutes(16).toMillis();
    taken.take(counter("b", true, whole(1, 10, 1)));
    assertThat(taken.streams.size()).isZero();

    taken.take(counter("a", false, whole(1, 900, 8)));
    taken.take(counter("a", false, whole(1, 910, 10)));
    assertThat(page(taken)).contains("a_total 7.0");
  }

  /** Streams of one name and labels are one counter: scopes and units are no labels. */
  @Test
  void take_twoStreamsOfOneName_addsWhatEachAdds() throws Exception {
    taken.take(sum("a", "{x}", true, false, whole(1, 10, 5)));
    taken.take(sum("a", "{y}", true, false, whole(1, 10, 70)));
    taken.take(sum("a", "{x}", true, false, whole(1, 20, 6)));

    assertThat(page(taken)).containsExactly("a_total 76.0");
    assertThat(taken.streams.size()).isEqualTo(2);
  }

  @Test
  void take_whatNoCounterCanBe_isRejectedByReason() throws Exception {
    Outcome outcome =
        taken.take(
            counter(
                "a",
                true,
                whole(1, 2, -1),
                number(1, 2, Double.NaN),
                number(1, 2, Double.POSITIVE_INFINITY),
                at(1, 2),
                whole(3, 2, 1)),
            counter("b", false, number(1, 2, -0.5)));

    assertThat(outcome.rejected()).isEqualTo(6);
    assertThat(outcome.problem())
        .isEqualTo("bad_point: metric a: a monotonic sum must be a number of 0 or more: -1");
    assertThat(taken.metric("otlp.not_kept.points", "bad_point")).isEqualTo(6);
    assertThat(page(taken)).isEmpty();
    assertThat(taken.streams.size()).isZero();
  }

  @Test
  void take_aSumWithoutTemporality_isRejected() throws Exception {
    var metric = counter("a", true, whole(1, 2, 1)).toBuilder();
    metric.getSumBuilder().clearAggregationTemporality();

    assertThat(taken.take(metric.build()).problem())
        .isEqualTo(
            "bad_temporality: metric a: aggregation_temporality must be delta or cumulative");
  }

  @Test
  void take_aSumThatMayFall_isAGauge() throws Exception {
    taken.take(upDown("a", false, whole(1, 10, 5)), upDown("b", true, whole(1, 10, 5)));
    taken.take(upDown("a", false, whole(1, 20, 3)), upDown("b", true, whole(10, 20, -7)));

    assertThat(page(taken)).containsExactly("a 3.0", "b -2.0");
    assertThat(text(taken)).contains("# TYPE a gauge\n").contains("# TYPE b gauge\n");
    assertThat(taken.streams.size()).as("nothing is to be remembered").isZero();
  }

  @Test
  void take_deltasWithoutEnd_areRejected() throws Exception {
    taken.take(upDown("a", true, whole(1, 10, 5)));
    Outcome refused = taken.take(upDown("a", true, number(10, 20, Double.NaN)));

    assertThat(refused.problem()).isEqualTo("bad_point: metric a: must be finite: NaN");
    assertThat(page(taken)).containsExactly("a 5.0");
  }

  @Test
  void take_noRecordedValueOfACounter_changesNothing() throws Exception {
    taken.take(counter("a", false, whole(1, 10, 5)));
    Outcome none = taken.take(counter("a", false, at(1, 20).setFlags(1)));
    taken.take(counter("a", false, whole(1, 30, 6)));

    assertThat(none.rejected()).isZero();
    assertThat(taken.metric("otlp.not_kept.points", "no_recorded_value")).isEqualTo(1);
    assertThat(page(taken)).containsExactly("a_total 6.0");
  }

  /** Without room on the page a point is not remembered, so nothing is lost when there is room. */
  @Test
  void take_moreThanThereMayBe_isRejected_andCountsWholeOnceThereIsRoom() throws Exception {
    TakenRequests one = NumberRequests.keeping(1);
    one.take(gauge("a", "", whole(0, 10, 1)));
    Outcome refused = one.take(counter("b", false, whole(1, 10, 5)));
    assertThat(refused.rejected()).isEqualTo(1);
    assertThat(refused.problem())
        .isEqualTo(
            "plain_limit: metric b: there are 1 counters and gauges that come by OTLP, and there"
                + " may be no more");
    assertThat(one.metric("otlp.not_kept.points", "plain_limit")).isEqualTo(1);
    assertThat(one.streams.size()).isZero();

    one.take(gauge("a", "", at(0, 20).setFlags(1)));
    one.take(counter("b", false, whole(1, 20, 8)));
    assertThat(page(one)).containsExactly("b_total 8.0");
  }

  @Test
  void take_moreThanThereIsMemoryFor_isRejected_andComesBackWithTheEnd() throws Exception {
    TakenRequests many = NumberRequests.keeping(100_000);
    NumberDataPoint.Builder[] points = new NumberDataPoint.Builder[5000];
    for (int i = 0; i < points.length; i++) {
      points[i] = whole(1, 10, 1).addAttributes(TakenRequests.attribute("i", String.valueOf(i)));
    }
    Outcome outcome = many.take(counter("a", false, points));

    assertThat(outcome.problem()).startsWith("no_memory");
    assertThat(outcome.rejected()).isEqualTo(5000 - page(many).size()).isBetween(1L, 4999L);
    assertThat(many.streams.size()).isEqualTo(page(many).size());
    long held = many.share.heldBytes();
    assertThat(held).isLessThanOrEqualTo(many.share.maxBytes());

    many.nowMillis += Duration.ofHours(1).toMillis();
    many.take(); // forgets streams
    many.plain.expire(many.nowMillis);
    assertThat(many.share.heldBytes()).isZero();
    assertThat(page(many)).isEmpty();
  }

  /** Whatever an SDK does at random, the counter has what was added since the sidecar began. */
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42, 2026})
  void take_growthRestartsAndRepeats_countEachOnce(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    long eighths = 0;
    long all = 0;
    double start = 1;
    double shown = 0;
    for (int step = 2; step < 200; step++) {
      if (random.nextInt(10) == 0) { // The process begins anew.
        eighths = 0;
        start = step - 0.5;
      } else {
        long more = random.nextInt(1000);
        eighths += more;
        all += more;
      }
      var metric = counter("a", false, number(start, step, eighths / 8.0));
      taken.take(metric);
      if (random.nextBoolean()) {
        taken.take(metric);
      }
      double now = Double.parseDouble(page(taken).get(0).split(" ", 2)[1]);
      assertThat(now).as("step %d", step).isEqualTo(all / 8.0).isGreaterThanOrEqualTo(shown);
      shown = now;
    }
  }
}
