package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every number we expose, against the sorted list of the values it came from. */
class ErrorBoundsTest {
  private static final double[] QUANTILES = {0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999, 1};
  static final List<String> SHAPES =
      List.of(
          "uniform",
          "exponential",
          "lognormal",
          "heavy tail",
          "bimodal",
          "constant",
          "with zeros",
          "bucket edges",
          "three values",
          "one value");
  private static final double NANOS = 1e9;

  static Stream<Arguments> shapesAndDigits() {
    return SHAPES.stream().flatMap(s -> Stream.of(2, 3, 4).map(d -> Arguments.of(s, d)));
  }

  static Stream<Arguments> shapesAndSchemas() {
    return SHAPES.stream()
        .flatMap(s -> IntStream.rangeClosed(-4, 8).mapToObj(schema -> Arguments.of(s, schema)));
  }

  @ParameterizedTest(name = "{0}, {1} digits")
  @MethodSource("shapesAndDigits")
  void windowQuantile_isAtOrAboveTheTruthByAtMostTheDigits(String shape, int digits) {
    RawValues raw = RawValues.of(shape);
    Quantiles quantiles =
        new Quantiles(List.of(0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999, 1.0));

    Accumulation counted = raw.counted(digits);
    quantiles.reader().clear();
    quantiles.reader().add(counted.counts(), counted.sumMinMax());
    quantiles.reader().done();

    for (int i = 0; i < QUANTILES.length; i++) {
      long truth = raw.quantile(QUANTILES[i]);
      assertThat(quantiles.valueAt(i))
          .isBetween(truth, (long) (truth * (1 + Math.pow(10, -digits))));
    }
    assertThat(quantiles.valueAt(QUANTILES.length - 1)).isEqualTo(raw.quantile(1));
  }

  @ParameterizedTest(name = "{0}, {1} digits")
  @MethodSource("shapesAndDigits")
  void classicCount_isExactExceptForTheBucketAcrossTheEdge(String shape, int digits) {
    RawValues raw = RawValues.of(shape);
    ExposeConfig config = ExposeConfig.defaults();

    HistogramReading reading = raw.reading(digits, config.secondsEdges(), 3, 160);

    for (int i = 0; i < reading.edges(); i++) {
      double edge = reading.edgeAt(i) * NANOS;
      assertThat(reading.cumulativeAt(i))
          .isBetween(raw.countUpTo(edge * (1 - Math.pow(10, -digits))), raw.countUpTo(edge));
    }
    assertThat(reading.count()).isEqualTo(raw.sorted().length);
  }

  @ParameterizedTest(name = "{0}, schema {1}")
  @MethodSource("shapesAndSchemas")
  void nativeCount_isExactExceptForTheBucketsAcrossTheEdge(String shape, int schema) {
    RawValues raw = RawValues.of(shape);

    NativeBuckets buckets = raw.reading(3, List.of(), schema, 1 << 20).nativeBuckets();

    assertThat(buckets.schema()).isEqualTo(schema);
    assertThat(buckets.zeroCount()).isEqualTo(raw.countUpTo(0));
    long cumulative = buckets.zeroCount();
    for (int i = 0; i < buckets.size(); i++) {
      cumulative += buckets.countAt(i);
      double edge = NativeSchema.upperBound(buckets.indexAt(i), schema) * NANOS;
      assertThat(cumulative).isBetween(raw.countUpTo(edge * 0.999), raw.countUpTo(edge));
    }
    assertThat(cumulative).isEqualTo(raw.sorted().length);
  }

  @ParameterizedTest(name = "{0}, schema {1}")
  @MethodSource("shapesAndSchemas")
  void nativeQuantile_isWithinOneBucketOfTheTruth(String shape, int schema) {
    RawValues raw = RawValues.of(shape);
    NativeBuckets buckets = raw.reading(3, List.of(), schema, 1 << 20).nativeBuckets();
    double bound = Math.pow(2, Math.pow(2, -schema)) * 1.001;

    for (double quantile : QUANTILES) {
      double truth = raw.quantile(quantile) / NANOS;
      double estimate = PromQl.nativeQuantile(quantile, buckets);
      if (truth == 0) {
        assertThat(estimate).isLessThanOrEqualTo(NativeSchema.ZERO_THRESHOLD);
      } else {
        assertThat(estimate).isBetween(truth / bound, truth * bound);
      }
    }
  }

  @ParameterizedTest(name = "{0}, {1} digits")
  @MethodSource("shapesAndDigits")
  void sumAndExtremes_areExact(String shape, int digits) {
    RawValues raw = RawValues.of(shape);

    Accumulation counted = raw.counted(digits);
    Distribution distribution = new Distribution();
    distribution.add(counted.counts(), counted.sumMinMax());

    assertThat(distribution.sum().toBigInteger().longValueExact())
        .isEqualTo(Arrays.stream(raw.sorted()).sum());
    assertThat(distribution.min()).isEqualTo(raw.sorted()[0]);
    assertThat(distribution.max()).isEqualTo(raw.sorted()[raw.sorted().length - 1]);
  }
}
