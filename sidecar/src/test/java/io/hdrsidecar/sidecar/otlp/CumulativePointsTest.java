package io.hdrsidecar.sidecar.otlp;

import static io.hdrsidecar.sidecar.otlp.TakenRequests.base2;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.bounded;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.explicit;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.exponential;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.otlp.OtlpIntake.Outcome;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cumulative point adds to what its stream had. */
final class CumulativePointsTest {
  private final TakenRequests taken = new TakenRequests();

  @Test
  void take_twoPointsOfAStream_addsTheFirstAndTheDifference() throws Exception {
    taken.take(exponential("a", false, base2(1, 10, 3, 0, 5, 2).setSum(8)));
    taken.take(exponential("a", false, base2(1, 20, 3, 0, 7, 2, 1).setSum(11.5)));

    assertThat(taken.count("a")).isEqualTo(10);
    assertThat(taken.sum("a")).isEqualTo("11500000000");
    assertThat(taken.total("a").parts()).hasSize(1);
  }

  /** The exporter has sent a request again, as it saw no answer. */
  @Test
  void take_aPointAgain_addsNothing() throws Exception {
    taken.take(exponential("a", false, base2(1, 10, 3, 0, 5, 2)));
    Outcome again = taken.take(exponential("a", false, base2(1, 10, 3, 0, 5, 2)));

    assertThat(taken.count("a")).isEqualTo(7);
    assertThat(again.rejected()).isZero();
  }

  @Test
  void take_twoPointsOfAStreamInOneRequest_addsTheDifference() throws Exception {
    taken.take(
        explicit("a", false, bounded(1, 10, 1, 2), bounded(1, 20, 4, 2), bounded(1, 30, 4, 3)));

    assertThat(taken.count("a")).isEqualTo(7);
  }

  @Test
  void take_aLaterStart_isARestart_andCountsWhole() throws Exception {
    taken.take(explicit("a", false, bounded(1, 10, 4, 6)));
    taken.take(explicit("a", false, bounded(12, 20, 3, 0)));

    assertThat(taken.count("a")).isEqualTo(13);
    assertThat(taken.metric("otlp.resets", "start_time")).isEqualTo(1);
  }

  @Test
  void take_aCountBelow_isAReset_andCountsWhole() throws Exception {
    taken.take(exponential("a", false, base2(1, 10, 3, 0, 5, 5)));
    taken.take(exponential("a", false, base2(1, 20, 3, 0, 20, 1)));

    assertThat(taken.count("a")).isEqualTo(31);
    assertThat(taken.metric("otlp.resets", "count")).isEqualTo(1);
  }

  @Test
  void take_aPointThatWasOvertaken_addsNothingAndIsNoError() throws Exception {
    taken.take(explicit("a", false, bounded(1, 20, 5, 5)));
    Outcome late = taken.take(explicit("a", false, bounded(1, 10, 2, 2)));

    assertThat(taken.count("a")).isEqualTo(10);
    assertThat(late.rejected()).isZero();
    assertThat(taken.metric("otlp.not_kept.points", "out_of_order")).isEqualTo(1);
  }

  /** A sidecar before this one may have counted what was before. */
  @Test
  void take_aStartBeforeTheSidecar_countsFromTheFirstPointOn() throws Exception {
    taken.take(exponential("a", false, base2(-100, 10, 3, 0, 1000)));
    taken.take(exponential("a", false, base2(-100, 20, 3, 0, 1003)));

    assertThat(taken.count("a")).isEqualTo(3);
    assertThat(taken.metric("otlp.not_kept.values", "unknown_start")).isEqualTo(1000);
  }

  @Test
  void take_noStartAtAll_countsFromTheFirstPointOn() throws Exception {
    taken.take(explicit("a", false, bounded(1, 10, 7).setStartTimeUnixNano(0)));
    taken.take(explicit("a", false, bounded(1, 20, 9).setStartTimeUnixNano(0)));

    assertThat(taken.count("a")).isEqualTo(2);
  }

  /** The series with the coarser scale is what is left of the older counts, too. */
  @Test
  void take_aCoarserScale_subtractsWhatWasAtTheFinerOne() throws Exception {
    taken.take(exponential("a", false, base2(1, 10, 4, 5, 1, 2, 3, 4)));
    // At scale 3 the buckets 5, 6, 7, 8 of scale 4 are 2, 3, 3, 4.
    taken.take(exponential("a", false, base2(1, 20, 3, 2, 1 + 10, 5, 4, 0, 1)));

    assertThat(taken.count("a")).isEqualTo(21);
    assertThat(taken.total("a").parts()).hasSize(2);
    assertThat(taken.metric("otlp.resets", "count")).isZero();
  }

  @Test
  void take_aLargerZeroThreshold_movesBucketsAndLosesNothing() throws Exception {
    taken.take(exponential("a", false, base2(1, 10, 0, -3, 2, 3, 4)));
    ExponentialHistogramDataPoint.Builder next =
        base2(1, 20, 0, -1, 6).setZeroThreshold(0.5).setZeroCount(7);
    taken.take(exponential("a", false, next.setCount(13)));

    assertThat(taken.count("a")).isEqualTo(13);
    assertThat(taken.metric("otlp.resets", "count")).isZero();
  }

  /** An SDK leaves out empty buckets in front, also those behind what has become zero. */
  @Test
  void take_aLargerZeroThresholdBeforeAnEmptyBucket_losesAndDoublesNothing() throws Exception {
    taken.take(exponential("a", false, base2(1, 10, 0, -3, 2, 3, 0, 4)));
    ExponentialHistogramDataPoint.Builder next =
        base2(1, 20, 0, 0, 6).setZeroThreshold(0.5).setZeroCount(7);
    taken.take(exponential("a", false, next.setCount(13)));

    assertThat(taken.count("a")).isEqualTo(13);
    assertThat(taken.metric("otlp.resets", "count")).isZero();
  }

  /** A threshold that is an edge at the finer scale, and lies inside of a bucket of the coarser. */
  @Test
  void take_aLargerZeroThresholdAndACoarserScale_losesAndDoublesNothing() throws Exception {
    double edge = Math.sqrt(0.5);
    taken.take(exponential("a", false, base2(1, 10, 1, -2, 2, 3, 4)));
    ExponentialHistogramDataPoint.Builder next =
        base2(1, 20, 0, -1, 3, 6).setZeroThreshold(edge).setZeroCount(2);
    taken.take(exponential("a", false, next.setCount(11)));

    assertThat(taken.count("a")).isEqualTo(11);
    assertThat(taken.metric("otlp.resets", "count")).isZero();
  }

  @Test
  void take_aStartThatIsSaidLaterOnly_isNoRestart() throws Exception {
    taken.take(explicit("a", false, bounded(1, 10, 100).setStartTimeUnixNano(0)));
    taken.take(explicit("a", false, bounded(1, 20, 130)));
    taken.take(explicit("a", false, bounded(1, 30, 131).setStartTimeUnixNano(0)));
    taken.take(explicit("a", false, bounded(1, 40, 133)));

    assertThat(taken.count("a")).isEqualTo(33);
    assertThat(taken.metric("otlp.resets", "start_time")).isZero();
  }

  @Test
  void take_aStreamOfTheFarFutureThatWasForgotten_doesNotHideOthers() throws Exception {
    taken.take(explicit("future", false, bounded(1, 3e9, 5)));
    taken.nowMillis += 16 * 60_000;
    taken.take(explicit("other", false, bounded(1, 10, 1)));
    taken.nowMillis += 1000;
    double now = (taken.nowMillis - TakenRequests.BEGAN) / 1e3;
    taken.take(explicit("a", false, bounded(now, now + 1, 8)));

    assertThat(taken.count("a")).isEqualTo(8);
  }

  @Test
  void take_otherBounds_isAReset() throws Exception {
    taken.take(explicit("a", false, bounded(1, 10, 1, 2)));
    taken.take(explicit("a", false, bounded(1, 20, 1, 2, 3)));

    assertThat(taken.metric("otlp.resets", "count")).isEqualTo(1);
    assertThat(taken.count("a")).isEqualTo(9);
  }

  /** Two processes behind one collector. */
  @Test
  void take_equalNamesOfTwoResources_areTwoStreamsOfOneSeries() throws Exception {
    for (String host : List.of("one", "two")) {
      var request = TakenRequests.request(explicit("a", false, bounded(1, 10, 5))).toBuilder();
      request
          .getResourceMetricsBuilder(0)
          .getResourceBuilder()
          .addAttributes(TakenRequests.attribute("host.name", host));
      taken.take(request.build().toByteArray());
    }

    assertThat(taken.count("a")).isEqualTo(10);
    assertThat(taken.streams.size()).isEqualTo(2);
  }

  @Test
  void take_aStreamThatWasForgotten_isOfAnUnknownStart_andNotCountedTwice() throws Exception {
    taken.take(explicit("a", false, bounded(1, 10, 5)));
    taken.nowMillis += 16 * 60_000;
    taken.take(explicit("other", false, bounded(1, 10, 1)));
    taken.take(explicit("a", false, bounded(1, 1000, 8)));
    taken.take(explicit("a", false, bounded(1, 1010, 9)));

    assertThat(taken.count("a")).isEqualTo(5 + 1);
  }

  /** What is refused now comes with the next point. */
  @Test
  void take_whileTheStoreRefuses_isInTheNextDifference() throws Exception {
    TakenRequests small = new TakenRequests(new MergeConfig(1, 1, 1024, List.of()), 5, List.of());
    small.take(explicit("a", true, bounded(1, 2, 1)));
    Outcome refused = small.take(explicit("a", false, bounded(1, 10, 5, 5)));

    assertThat(refused.rejected()).isEqualTo(1);
    assertThat(refused.problem()).contains("configuration_limit").contains("metric a");
    assertThat(small.streams.size()).isZero();
    assertThat(small.share.heldBytes()).isZero();
  }

  /** Labels are not a reason to lose what an earlier point of the stream said. */
  @Test
  void take_aSeriesThatWasRefusedAndEndsElsewhere_countsWholeAndLosesNothing() throws Exception {
    TakenRequests small = new TakenRequests(new MergeConfig(1, 1, 1024, List.of()), 5, List.of());
    small.take(explicit("a", true, bounded(1, 2, 1)));
    small.take(explicit("a", false, bounded(1, 10, 5, 5)));
    small.take(explicit("a", false, bounded(1, 20, 12)));

    assertThat(small.count("a")).as("the refused 10, and 2 more").isEqualTo(1 + 12);
    assertThat(small.metric("otlp.lost.values", RejectReason.CONFIGURATION_LIMIT.label())).isZero();
    assertThat(small.metric("otlp.resets", "count")).isZero();
  }

  @Test
  void take_moreStreamsThanThereIsMemoryFor_rejectsThem() throws Exception {
    List<ExponentialHistogramDataPoint.Builder> points = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      points.add(
          base2(1, 10, 3, 0, 1).addAttributes(TakenRequests.attribute("i", String.valueOf(i))));
    }

    Outcome outcome =
        taken.take(
            exponential("a", false, points.toArray(new ExponentialHistogramDataPoint.Builder[0])));

    assertThat(outcome.rejected()).isEqualTo(5000 - taken.streams.size()).isPositive();
    assertThat(outcome.problem()).startsWith("no_memory");
    assertThat(taken.share.heldBytes()).isLessThanOrEqualTo(taken.share.maxBytes());
  }

  /** Whatever an SDK does at random, the series has what was recorded since the sidecar began. */
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42, 2026})
  void take_growthRestartsScalesAndRepeats_countEachValueOnce(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    long[] counts = new long[40];
    int scale = 4;
    double start = 1;
    long recorded = 0;
    for (int step = 2; step < 200; step++) {
      switch (random.nextInt(10)) {
        case 0 -> { // The process begins anew.
          counts = new long[40];
          scale = 4;
          start = step - 0.5;
        }
        case 1 -> { // A wider range of values needs wider buckets.
          if (scale > 1) {
            long[] wider = new long[40];
            for (int i = 0; i < counts.length; i++) {
              wider[i / 2] += counts[i];
            }
            counts = wider;
            scale--;
          }
        }
        default -> {
          for (int i = 0; i < 5; i++) {
            counts[random.nextInt(counts.length)]++;
          }
          recorded += 5;
        }
      }
      var metric = exponential("a", false, base2(start, step, scale, 0, counts));
      taken.take(metric);
      if (random.nextBoolean()) {
        taken.take(metric);
      }
      if (recorded > 0) {
        assertThat(taken.count("a")).as("step %d", step).isEqualTo(recorded);
      }
    }
  }
}
