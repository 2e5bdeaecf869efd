package io.hdrsidecar.sidecar.otlp;

import static io.hdrsidecar.sidecar.otlp.TakenRequests.base2;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.bounded;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.explicit;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.exponential;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.otlp.OtlpIntake.Outcome;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a point of delta temporality becomes in its series, and what is not kept. */
final class DeltaPointsTest {
  private final TakenRequests taken = new TakenRequests();

  private static Map<Integer, Long> buckets(SparseCounts counts) {
    Map<Integer, Long> buckets = new TreeMap<>();
    for (int i = 0; i < counts.size(); i++) {
      buckets.put(counts.indexAt(i), counts.countAt(i));
    }
    return buckets;
  }

  private BucketLayout layout(String name) {
    return taken.total(name).parts().get(0).layout();
  }

  private SparseCounts counts(String name) {
    return taken.total(name).parts().get(0).counts();
  }

  private SumMinMax sumMinMax(String name) {
    return taken.total(name).parts().get(0).sumMinMax();
  }

  /** The second of scale 1 is (2^(1/2), 2] s, so 2 s itself is in it. */
  @Test
  void take_base2_staysBase2_inNanoseconds() throws Exception {
    taken.take(
        exponential(
            "a", true, base2(1, 2, 1, -2, 3, 0, 4, 5).setSum(14.25).setMin(0.75).setMax(2)));

    SparseCounts counts = counts("a");
    BucketLayout layout = layout("a");
    assertThat(layout).isEqualTo(BucketLayout.base2(1, 1_000_000_000));
    assertThat(buckets(counts))
        .isEqualTo(
            Map.of(
                layout.indexOf(707_000_000), 3L,
                layout.indexOf(1_000_000_001), 4L,
                layout.indexOf(2_000_000_000), 5L));
    assertThat(sumMinMax("a"))
        .isEqualTo(SumMinMax.of(0, 14_250_000_000L, true, 707_106_781, 2_000_000_000));
  }

  @Test
  void take_zeros_areCountedAsZero() throws Exception {
    taken.take(exponential("a", true, base2(1, 2, 3, 0, 1).setZeroCount(9).setCount(10)));

    assertThat(buckets(counts("a")).get(0)).isEqualTo(9);
  }

  @Test
  void take_aFinerScaleThanIsKept_isJoinedToIt() throws Exception {
    long[] pairs = new long[64];
    java.util.Arrays.fill(pairs, 1);
    taken.take(exponential("a", true, base2(1, 2, 8, 0, pairs)));

    SparseCounts counts = counts("a");
    assertThat(layout("a")).isEqualTo(BucketLayout.base2(5, 1_000_000_000));
    assertThat(buckets(counts).values()).containsExactly(8L, 8L, 8L, 8L, 8L, 8L, 8L, 8L);
  }

  /** A series may have four layouts; a fifth, finer than one of them, goes into that. */
  @Test
  void take_moreScalesThanASeriesMayHave_joinsTheFinestThatAreLeft() throws Exception {
    for (int scale : List.of(5, 3, 2, 1)) {
      taken.take(exponential("a", true, base2(1, 2, scale, 0, 1)));
    }

    Outcome outcome = taken.take(exponential("a", true, base2(1, 2, 4, 0, 1)));

    assertThat(outcome.rejected()).isZero();
    assertThat(taken.count("a")).isEqualTo(5);
    assertThat(taken.total("a").parts()).hasSize(4);
  }

  @Test
  void take_explicitBounds_areKeptWithTheirEdges() throws Exception {
    taken.take(explicit("a", true, bounded(1, 2, 1, 2, 3, 4).setSum(20).setMin(1).setMax(7)));

    SparseCounts counts = counts("a");
    assertThat(layout("a"))
        .isEqualTo(
            BucketLayout.explicit(new long[] {1_000_000_000, 2_000_000_000, 3_000_000_000L}));
    assertThat(buckets(counts)).isEqualTo(Map.of(0, 1L, 1, 2L, 2, 3L, 3, 4L));
    assertThat(sumMinMax("a"))
        .isEqualTo(SumMinMax.of(0, 20_000_000_000L, true, 1_000_000_000, 7_000_000_000L));
  }

  /** 0.0025 is no binary fraction; its bound is 2,500,000 ns all the same. */
  @Test
  void take_decimalBounds_areWholeNanoseconds() throws Exception {
    HistogramDataPoint.Builder point =
        bounded(1, 2, 1, 1).clearExplicitBounds().addExplicitBounds(0.0025);
    taken.take(explicit("a", true, point));

    assertThat(layout("a")).isEqualTo(BucketLayout.explicit(new long[] {2_500_000}));
  }

  /** Plain numbers: bounds of 0.5 and 0.7 are the same for whole ones. */
  @Test
  void take_boundsBetweenWholeNumbers_areJoinedAndCounted() throws Exception {
    HistogramDataPoint.Builder point = bounded(1, 2, 1, 2, 3, 4).clearExplicitBounds();
    point.addExplicitBounds(0.5).addExplicitBounds(0.7).addExplicitBounds(1.5);
    taken.take(explicit("a", true, point).toBuilder().setUnit("1").build());

    assertThat(layout("a")).isEqualTo(BucketLayout.explicit(new long[] {0, 1}));
    assertThat(buckets(counts("a"))).isEqualTo(Map.of(0, 3L, 1, 3L, 2, 4L));
  }

  @Test
  void take_noSum_estimatesItFromTheBuckets() throws Exception {
    taken.take(explicit("a", true, bounded(1, 2, 0, 4, 0)));

    assertThat(sumMinMax("a").isSumExact()).isFalse();
    assertThat(sumMinMax("a").sum().toDouble()).isBetween(4e9, 8e9);
  }

  @Test
  void take_valuesBelowZero_areLeftOutAndCounted() throws Exception {
    HistogramDataPoint.Builder point =
        bounded(1, 2, 3, 5, 2).clearExplicitBounds().addExplicitBounds(-1).addExplicitBounds(1);
    taken.take(explicit("a", true, point.setSum(-4)));
    var base2 = base2(1, 2, 3, 0, 6);
    base2.getNegativeBuilder().addBucketCounts(4);
    taken.take(exponential("b", true, base2.setCount(10)));

    assertThat(taken.count("a")).isEqualTo(7);
    assertThat(taken.count("b")).isEqualTo(6);
    assertThat(
            taken.counters.metrics(() -> 0, () -> 0).stream()
                .filter(m -> m.name().equals("otlp.not_kept.values"))
                .mapToDouble(m -> m.value().getAsDouble())
                .sum())
        .isEqualTo(7);
  }

  @Test
  void take_exemplars_keepsTheLargestWithATrace() throws Exception {
    HistogramDataPoint.Builder point = bounded(1, 2, 1, 2);
    byte[] trace = new byte[16];
    trace[15] = 0x2a;
    point.addExemplarsBuilder().setAsDouble(9);
    point
        .addExemplarsBuilder()
        .setAsDouble(1.5)
        .setTimeUnixNano(TakenRequests.nanos(1.5))
        .setTraceId(ByteString.copyFrom(trace))
        .setSpanId(ByteString.copyFrom(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
    taken.take(explicit("a", true, point));

    assertThat(taken.series("a").exemplars())
        .containsExactly(
            new Exemplar(
                1_500_000_000,
                TakenRequests.BEGAN + 1500,
                "0000000000000000000000000000002a",
                "0102030405060708"));
  }

  @Test
  void take_otherKinds_areRejectedAndCountedByKind() throws Exception {
    NumberDataPoint number = NumberDataPoint.newBuilder().setAsInt(1).build();
    Outcome outcome =
        taken.take(
            Metric.newBuilder()
                .setName("requests")
                .setSum(Sum.newBuilder().addDataPoints(number).addDataPoints(number))
                .build(),
            Metric.newBuilder()
                .setName("level")
                .setGauge(Gauge.newBuilder().addDataPoints(number))
                .build(),
            Metric.newBuilder()
                .setName("old")
                .setSummary(
                    Summary.newBuilder().addDataPoints(SummaryDataPoint.getDefaultInstance()))
                .build(),
            explicit("a", true, bounded(1, 2, 1)));

    assertThat(outcome).isEqualTo(new Outcome(4, "sum: metric requests: is a sum"));
    assertThat(taken.metric("otlp.not_kept.points", "sum")).isEqualTo(2);
    assertThat(taken.metric("otlp.not_kept.points", "gauge")).isEqualTo(1);
    assertThat(taken.metric("otlp.not_kept.points", "summary")).isEqualTo(1);
    assertThat(taken.count("a")).isEqualTo(1);
  }

  @Test
  void take_noRecordedValue_isLeftOutAndNoError() throws Exception {
    Outcome outcome = taken.take(explicit("a", true, bounded(1, 2, 1).setFlags(1)));

    assertThat(outcome.rejected()).isZero();
    assertThat(taken.metric("otlp.not_kept.points", "no_recorded_value")).isEqualTo(1);
    assertThat(taken.keys()).isEqualTo("[]");
  }

  @Test
  void take_pointsThatContradictThemselves_areRejected_andTheOthersKept() throws Exception {
    List<HistogramDataPoint.Builder> bad = new ArrayList<>();
    bad.add(bounded(1, 2, 1, 2).setCount(4));
    bad.add(bounded(1, 2, 1, 2, 3).setExplicitBounds(1, 1));
    bad.add(bounded(1, 2, 1, 2).clearExplicitBounds());
    bad.add(bounded(1, 2, 1, -2).setCount(-1));
    bad.add(bounded(3, 2, 1));
    bad.add(bounded(1, 2, Long.MAX_VALUE, Long.MAX_VALUE));
    Outcome outcome =
        taken.take(
            explicit("a", true, bad.toArray(new HistogramDataPoint.Builder[0])),
            exponential("a", true, base2(1, 2, 21, 0, 1)),
            exponential("a", true, base2(1, 2, 3, Integer.MAX_VALUE, 1, 1)),
            Metric.newBuilder()
                .setName("a")
                .setHistogram(
                    io.opentelemetry.proto.metrics.v1.Histogram.newBuilder()
                        .addDataPoints(bounded(1, 2, 1)))
                .build(),
            explicit("good", true, bounded(1, 2, 1)));

    assertThat(outcome.rejected()).isEqualTo(9);
    assertThat(outcome.problem()).startsWith("bad_point: metric a: count must be");
    assertThat(taken.keys()).isEqualTo("[good]");
  }

  /** One metric may be in seconds, or in bytes. */
  @Test
  void take_anotherUnitForAName_isRejectedAndNamed() throws Exception {
    taken.take(explicit("a", true, bounded(1, 2, 1)));
    Outcome outcome =
        taken.take(explicit("a", true, bounded(1, 2, 1)).toBuilder().setUnit("By").build());

    assertThat(outcome.rejected()).isEqualTo(1);
    assertThat(outcome.problem()).startsWith("refused: metric a: series_conflict");
  }

  /** It would leave the 128 bits in which sums are kept. */
  @Test
  void take_aSumThatNoSuchValuesHave_isEstimated() throws Exception {
    taken.take(explicit("a", true, bounded(1, 2, 1, 0).setSum(1e30)));

    assertThat(taken.total("a").parts().get(0).sumMinMax().isSumExact()).isFalse();
    assertThat(new BigInteger(taken.sum("a")))
        .isBetween(BigInteger.ZERO, BigInteger.valueOf(1_000_000_000));
  }

  @Test
  void take_farOutValues_countAtTheEdges() throws Exception {
    taken.take(
        exponential(
            "a",
            true,
            base2(1, 2, 0, 900, 1).setSum(1e300).setMax(1e300),
            base2(1, 2, 0, -900, 1).setSum(1e-300)));

    assertThat(taken.count("a")).isEqualTo(2);
    assertThat(sumMinMax("a").max()).isEqualTo(Long.MAX_VALUE);
  }
}
