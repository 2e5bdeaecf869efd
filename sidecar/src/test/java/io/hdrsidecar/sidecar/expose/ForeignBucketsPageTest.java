package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.support.OtlpBuckets;
import io.hdrsidecar.testing.PowersOfTwo;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets of OpenTelemetry on a page, against the sorted list of the values. */
class ForeignBucketsPageTest {
  private static Accumulation counted(DecodedHistogram histogram, SumMinMax sumMinMax) {
    Accumulation counted = new Accumulation(histogram.layout());
    SparseCounts counts = histogram.counts();
    sumMinMax.settle(histogram.layout(), counts.indexAt(0), counts.indexAt(counts.size() - 1));
    counted.add(counts, sumMinMax);
    return counted;
  }

  private static HistogramReading reading(Accumulation counted, List<Double> edges, int schema) {
    return RawValues.reading(
        counted,
        Unit.NANOSECONDS,
        new ExposeConfig(List.of(), edges, List.of(), List.of(), schema, 1 << 20));
  }

  /** Prometheus counts buckets by their upper edges: 1 above OpenTelemetry's number. */
  @ParameterizedTest(name = "scale {0}")
  @ValueSource(ints = {-2, 0, 3, 8})
  void nativeBuckets_ofTheSameSchema_areThoseOfTheSender(int scale) {
    long[] values = Arrays.copyOf(RawValues.of("lognormal").sorted(), 3_000);
    PowersOfTwo formula = new PowersOfTwo(scale, OtlpBuckets.NANOS);
    TreeMap<Integer, Long> expected = new TreeMap<>();
    Arrays.stream(values).forEach(v -> expected.merge(formula.indexOf(v) + 1, 1L, Long::sum));

    NativeBuckets buckets =
        reading(
                counted(OtlpBuckets.base2(scale, values), OtlpBuckets.sumMinMax(values)),
                List.of(),
                scale)
            .nativeBuckets();

    TreeMap<Integer, Long> shown = new TreeMap<>();
    for (int i = 0; i < buckets.size(); i++) {
      shown.put(buckets.indexAt(i), buckets.countAt(i));
    }
    assertThat(shown).isEqualTo(expected);
  }

  @Test
  void classicCounts_atBoundsOfTheSender_areExactAndTheOpenBucketIsInTheLast() {
    long[] values = RawValues.of("exponential").sorted();
    long[] bounds = {1_000_000, 5_000_000, 10_000_000};

    HistogramReading reading =
        reading(
            counted(OtlpBuckets.explicit(bounds, values), OtlpBuckets.sumOnly(values)),
            List.of(0.001, 0.005, 0.01, 1000.0),
            3);

    for (int i = 0; i < 3; i++) {
      long bound = bounds[i];
      assertThat(reading.cumulativeAt(i))
          .isEqualTo(Arrays.stream(values).filter(v -> v <= bound).count());
    }
    assertThat(reading.cumulativeAt(3)).isEqualTo(reading.cumulativeAt(2));
    assertThat(reading.cumulativeAt(4)).isEqualTo(values.length);
  }

  /** Whatever the largest value is, as it may grow: Prometheus must not see counts move. */
  @ParameterizedTest(name = "schema {0}")
  @ValueSource(ints = {0, 3, 8})
  void nativeBuckets_ofTheOpenBucket_areWhereItBegins(int schema) {
    long[] bounds = {100_000_000, 250_000_000};
    PowersOfTwo formula = new PowersOfTwo(schema, OtlpBuckets.NANOS);
    for (long max : new long[] {400_000_000, 70_000_000_000L}) {
      long[] values = {90_000_000, 90_000_000, 200_000_000, max};

      NativeBuckets buckets =
          reading(
                  counted(OtlpBuckets.explicit(bounds, values), OtlpBuckets.sumMinMax(values)),
                  List.of(),
                  schema)
              .nativeBuckets();

      assertThat(buckets.schema()).isEqualTo(schema);
      assertThat(buckets.size()).isEqualTo(3);
      assertThat(buckets.indexAt(2)).isEqualTo(formula.indexOf(250_000_001) + 1);
      assertThat(buckets.countAt(2)).isEqualTo(1);
      assertThat(buckets.indexAt(1)).isEqualTo(formula.indexOf(250_000_000) + 1);
    }
  }

  @Test
  void nativeBuckets_withoutAnyBound_areTheLeastAboveZero() {
    NativeBuckets buckets =
        reading(
                counted(OtlpBuckets.explicit(new long[0], 5, 7), OtlpBuckets.sumOnly(5, 7)),
                List.of(),
                0)
            .nativeBuckets();

    assertThat(buckets.zeroCount()).isZero();
    assertThat(buckets.size()).isEqualTo(1);
    assertThat(buckets.indexAt(0)).isEqualTo(new PowersOfTwo(0, OtlpBuckets.NANOS).indexOf(1) + 1);
    assertThat(buckets.countAt(0)).isEqualTo(2);
  }

  @Test
  void windowQuantile_ofScale3_isAtOrAboveTheTruthBy9PercentAtMost() {
    RawValues raw = RawValues.of("heavy tail");
    long[] values = raw.sorted();
    Quantiles quantiles = new Quantiles(List.of(0.5, 0.9, 0.99, 1.0));
    Accumulation counted = counted(OtlpBuckets.base2(3, values), OtlpBuckets.sumMinMax(values));
    quantiles.reader().clear();
    quantiles.reader().add(counted.counts(), counted.sumMinMax());
    quantiles.reader().done();

    double[] asked = {0.5, 0.9, 0.99, 1};
    for (int i = 0; i < asked.length; i++) {
      long truth = raw.quantile(asked[i]);
      assertThat(quantiles.valueAt(i)).isBetween(truth, (long) (truth * 1.0906));
    }
    BucketLayout layout = counted.counts().layout();
    assertThat(layout).hasToString("base2:scale=3,per=1000000000");
  }
}
