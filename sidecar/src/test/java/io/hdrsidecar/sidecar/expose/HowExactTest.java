package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of {@code docs/accuracy.md}, with 3 digits and schema 3: every number from the sorted
 * list of the values, for several shapes, and how far off it was at most.
 */
class HowExactTest {
  /** What the page promises. */
  private static final double DIGITS_BOUND = 0.001;

  private static final double SCHEMA_3_BOUND = Math.pow(2, 1 / 8.0) - 1;

  private static final double NANOS = 1e9;
  private static final List<Double> QUANTILES = List.of(0.25, 0.5, 0.9, 0.99, 0.999, 1.0);
  private static final List<Double> EDGES = ExposeConfig.defaults().secondsEdges();
  private static final StringBuilder TABLE =
      new StringBuilder(
          """
          | shape | values | API percentile | window gauge | classic quantile | native quantile |\
           SLO count | sum, count |
          |---|---|---|---|---|---|---|---|
          """);

  static List<String> shapes() {
    return ErrorBoundsTest.SHAPES;
  }

  @AfterAll
  static void printTable() {
    System.out.println(TABLE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void everyNumber_ofAShape_isWithinItsStatedBound(String shape) {
    RawValues raw = RawValues.of(shape);
    Accumulation counted = raw.counted(3);
    HistogramReading reading = raw.reading(3, EDGES, 3, 160);

    double api = worstApiPercentile(raw, counted);
    double gauge = worstGauge(raw, counted);
    int classic = worstClassicQuantile(raw, reading);
    double nativeError = worstNativeQuantile(raw, reading);
    assertSloCountsAreExact(raw, reading);
    assertThat(reading.count()).isEqualTo(raw.sorted().length);
    assertThat(reading.sum()).isEqualTo((double) Arrays.stream(raw.sorted()).sum() / NANOS);
    TABLE.append(
        String.format(
            Locale.ROOT,
            "| %s | %d | +%.3f %% | +%.3f %% | %d buckets off | %.2f %% | exact | exact |%n",
            shape,
            raw.sorted().length,
            100 * api,
            100 * gauge,
            classic,
            100 * nativeError));
  }

  private static double worstApiPercentile(RawValues raw, Accumulation counted) {
    Distribution distribution = new Distribution();
    distribution.add(counted.counts(), counted.sumMinMax());
    double worst = 0;
    for (double quantile : QUANTILES) {
      long truth = raw.quantile(quantile);
      long given = distribution.valueAtPercentile(quantile * 100);
      assertThat(given).isBetween(truth, (long) ((double) truth * (1 + DIGITS_BOUND)));
      worst = Math.max(worst, truth == 0 ? 0 : (double) given / truth - 1);
    }
    return worst;
  }

  private static double worstGauge(RawValues raw, Accumulation counted) {
    Quantiles gauges = new Quantiles(QUANTILES);
    gauges.reader().clear();
    gauges.reader().add(counted.counts(), counted.sumMinMax());
    gauges.reader().done();
    double worst = 0;
    for (int i = 0; i < QUANTILES.size(); i++) {
      long truth = raw.quantile(QUANTILES.get(i));
      assertThat(gauges.valueAt(i))
          .isBetween(truth, (long) ((double) truth * (1 + DIGITS_BOUND)))
          .isLessThanOrEqualTo(raw.quantile(1));
      worst = Math.max(worst, truth == 0 ? 0 : (double) gauges.valueAt(i) / truth - 1);
    }
    assertThat(gauges.valueAt(QUANTILES.size() - 1)).isEqualTo(raw.quantile(1));
    return worst;
  }

  /** How many classic buckets the answer is away from that of the truth. */
  private static int worstClassicQuantile(RawValues raw, HistogramReading reading) {
    int worst = 0;
    for (double quantile : QUANTILES) {
      double truth = raw.quantile(quantile) / NANOS;
      double given = PromQl.classicQuantile(quantile, reading);
      int right = bucketOf(truth);
      int last = EDGES.size() - 1; // what PromQL answers with above the last edge
      int off = Math.abs(Math.min(bucketOf(given), last) - Math.min(right, last));
      // One bucket too high only within 0.1 % under an edge, where a bucket may count above it.
      boolean atEdge = right < EDGES.size() && truth * (1 + DIGITS_BOUND) > EDGES.get(right);
      assertThat(off).isLessThanOrEqualTo(atEdge ? 1 : 0);
      worst = Math.max(worst, off);
    }
    return worst;
  }

  private static int bucketOf(double seconds) {
    int bucket = 0;
    while (bucket < EDGES.size() && seconds > EDGES.get(bucket) * (1 + 1e-12)) {
      bucket++;
    }
    return bucket;
  }

  private static double worstNativeQuantile(RawValues raw, HistogramReading reading) {
    double bound = schemaBound(reading.nativeBuckets().schema());
    double worst = 0;
    for (double quantile : QUANTILES) {
      double truth = raw.quantile(quantile) / NANOS;
      double given = PromQl.nativeQuantile(quantile, reading.nativeBuckets());
      if (truth == 0) {
        assertThat(given).isLessThanOrEqualTo(NativeSchema.ZERO_THRESHOLD);
      } else {
        double ratio = Math.max(given / truth, truth / given);
        assertThat(ratio).isLessThanOrEqualTo((1 + bound) * (1 + DIGITS_BOUND));
        worst = Math.max(worst, ratio - 1);
      }
    }
    return worst;
  }

  private static double schemaBound(int schema) {
    return Math.pow(2, Math.pow(2, -schema)) - 1;
  }

  /** Exact at the bucket edge an edge is snapped to, which HdrHistogram itself tells. */
  private static void assertSloCountsAreExact(RawValues raw, HistogramReading reading) {
    Histogram hdr = new Histogram(1, 1L << 50, 3);
    for (int i = 0; i < EDGES.size(); i++) {
      long edge = Math.round(EDGES.get(i) * NANOS);
      long snapped =
          hdr.highestEquivalentValue(edge) == edge ? edge : hdr.lowestEquivalentValue(edge) - 1;
      assertThat((double) (edge - snapped)).isLessThanOrEqualTo((double) edge * DIGITS_BOUND);
      assertThat(reading.cumulativeAt(i)).isEqualTo(raw.countUpTo((double) snapped));
    }
  }

  @Test
  void page_statesTheBoundsThatAreHeldHere() throws Exception {
    assertThat(Files.readString(Path.of("..", "docs", "accuracy.md")).replaceAll(" +", " "))
        .contains(String.format(Locale.ROOT, "at most %.1f %% high", 100 * DIGITS_BOUND))
        .contains(String.format(Locale.ROOT, "schema 3 is %.2f %% wide", 100 * SCHEMA_3_BOUND))
        .contains("| SLO count: `le` of a classic bucket | exact for the bucket edge");
  }
}
