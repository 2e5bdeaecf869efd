package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.support.OtlpBuckets;
import io.hdrsidecar.testing.PowersOfTwo;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Base-2 buckets of what was recorded, against edges in decimal and the sorted list of values. */
class ExponentialReadingTest {
  private static final long NANOS = 1_000_000_000;

  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());

  private Series recorded(int digits, long... values) throws Exception {
    return Recording.record(
        store,
        Recording.definition("checkout", Labels.empty(), Unit.NANOSECONDS, "", digits),
        values);
  }

  private static ExponentialReading reading(Series series, int maxBuckets) {
    ExponentialReading reading = new ExponentialReading(maxBuckets);
    reading.readFrom(series);
    return reading;
  }

  /**
   * One bucket of HdrHistogram: not below the place of its lowest value, nor above that of the
   * value behind its highest.
   */
  @ParameterizedTest(name = "{0} digits")
  @ValueSource(ints = {1, 2, 3, 4})
  void count_isAtMostOneBucketFromItsPlace(int digits) throws Exception {
    SplittableRandom random = new SplittableRandom(digits);
    BucketLayout layout = BucketLayout.of(1, digits);
    PowersOfTwo formula = new PowersOfTwo(8, NANOS);
    for (int i = 0; i < 300; i++) {
      long edge = formula.floor(random.nextInt(-7000, 3000));
      long anywhere = random.nextLong(1L << (i % 41 + 1));
      long value = Math.max(1, i % 2 == 0 ? edge + random.nextInt(-1, 2) : anywhere);
      Series series =
          Recording.record(
              store,
              Recording.definition("one", Labels.of("i", "" + i), Unit.NANOSECONDS, "", digits),
              value);

      ExponentialReading reading = reading(series, 160);

      int bucket = layout.indexOf(value);
      assertThat(reading.scale()).isEqualTo(8);
      assertThat(reading.counts()).containsExactly(1);
      assertThat(reading.firstIndex())
          .as("value %d", value)
          .isBetween(
              formula.indexOf(layout.lowestValueAt(bucket)),
              formula.indexOf(layout.highestValueAt(bucket) + 1));
    }
  }

  static Stream<String> shapes() {
    return ErrorBoundsTest.SHAPES.stream();
  }

  /** The whole of many values: what lies up to each edge, but for one bucket below it. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void counts_upToEachEdge_areThoseOfTheValues(String shape) throws Exception {
    RawValues raw = RawValues.of(shape);

    ExponentialReading reading = reading(recorded(3, raw.sorted()), 160);

    PowersOfTwo formula = new PowersOfTwo(reading.scale(), NANOS);
    long[] counts = reading.counts();
    long reached = reading.zeroCount();
    assertThat(reached).isEqualTo(raw.countUpTo(0));
    for (int i = 0; i < counts.length; i++) {
      reached += counts[i];
      BigDecimal edge = formula.edge(reading.firstIndex() + i + 1);
      assertThat(reached)
          .isBetween(raw.countUpTo(edge.doubleValue() * 0.999), raw.countUpTo(edge.doubleValue()));
    }
    assertThat(reached).isEqualTo(raw.sorted().length).isEqualTo(reading.count());
    assertThat(reading.sum().toBigInteger().longValueExact())
        .isEqualTo(Arrays.stream(raw.sorted()).sum());
    assertThat(reading.min()).isEqualTo(raw.sorted()[0]);
    assertThat(reading.max()).isEqualTo(raw.sorted()[raw.sorted().length - 1]);
    assertThat(reading.hasMin() && reading.hasMax()).isTrue();
  }

  /** The upper edge of the bucket in which a rank lies, by the rank of the sorted list. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void percentiles_areWithinOneBucketOfTheSortedList(String shape) throws Exception {
    RawValues raw = RawValues.of(shape);
    ExponentialReading reading = reading(recorded(3, raw.sorted()), 160);
    PowersOfTwo formula = new PowersOfTwo(reading.scale(), NANOS);
    double width = Math.pow(2, Math.pow(2, -reading.scale()));
    long[] counts = reading.counts();
    for (double quantile : new double[] {0.5, 0.9, 0.99, 0.999, 1}) {
      long truth = raw.quantile(quantile);
      long rank = (long) Math.max(Math.ceil(quantile * raw.sorted().length), 1);
      long reached = reading.zeroCount();
      int at = -1;
      while (reached < rank) {
        reached += counts[++at];
      }
      double upper = at < 0 ? 0 : formula.edge(reading.firstIndex() + at + 1).doubleValue();
      assertThat(upper).isBetween((double) truth, truth * width * 1.001);
    }
  }

  @ParameterizedTest(name = "at most {0} buckets")
  @ValueSource(ints = {10, 20, 160, 1000})
  void scale_isTheFinestWithFewEnoughBuckets(int maxBuckets) throws Exception {
    SplittableRandom random = new SplittableRandom(maxBuckets);
    for (int i = 0; i < 40; i++) {
      long low = 1 + random.nextLong(1L << random.nextInt(1, 41));
      long high = 1 + random.nextLong(1L << random.nextInt(1, 41));
      Series series =
          Recording.record(
              store,
              Recording.definition("two", Labels.of("i", "" + i), Unit.NANOSECONDS, "", 3),
              low,
              high);

      ExponentialReading reading = reading(series, maxBuckets);

      BucketLayout layout = BucketLayout.of(1, 3);
      long lowEdge = layout.highestValueAt(layout.indexOf(Math.min(low, high)));
      long highEdge = layout.highestValueAt(layout.indexOf(Math.max(low, high)));
      int expected = 8;
      while (span(expected, lowEdge, highEdge) > maxBuckets) {
        expected--;
      }
      assertThat(reading.scale()).as("%d and %d", low, high).isEqualTo(expected);
      assertThat(reading.counts()).hasSize(span(expected, lowEdge, highEdge));
    }
  }

  private static int span(int scale, long low, long high) {
    PowersOfTwo formula = new PowersOfTwo(scale, NANOS);
    return formula.indexOf(high) - formula.indexOf(low) + 1;
  }

  @Test
  void anyValues_fitIntoTheFewestBuckets() throws Exception {
    Series series = recorded(3, 0, 1, 3_600_000_000_000L);

    assertThat(reading(series, 10).counts().length).isLessThanOrEqualTo(10);
    assertThat(reading(series, 10).count()).isEqualTo(3);
  }

  /** What came in buckets of OpenTelemetry leaves in them, at its scale, or a coarser one. */
  @ParameterizedTest(name = "scale {0}")
  @ValueSource(ints = {-2, 0, 3, 5, 8})
  void base2Buckets_keepTheirScaleAndTheirCounts(int scale) throws Exception {
    long[] values = Arrays.copyOf(RawValues.of("lognormal").sorted(), 3_000);
    Series series =
        OtlpBuckets.merge(
            store, "sent", OtlpBuckets.base2(scale, values), OtlpBuckets.sumMinMax(values));

    ExponentialReading reading = reading(series, 1 << 20);

    assertThat(reading.scale()).isEqualTo(scale);
    PowersOfTwo formula = new PowersOfTwo(scale, NANOS);
    TreeMap<Integer, Long> expected = new TreeMap<>();
    Arrays.stream(values).forEach(v -> expected.merge(formula.indexOf(v), 1L, Long::sum));
    TreeMap<Integer, Long> shown = new TreeMap<>();
    long[] counts = reading.counts();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        shown.put(reading.firstIndex() + i, counts[i]);
      }
    }
    assertThat(shown).isEqualTo(expected);
  }

  /** So one value above the last bound does not make all others coarser. */
  @Test
  void openBucket_isWhereItBegins() throws Exception {
    long[] values = {1_000_000, 100_000_000, 250_000_000, 400_000_000};
    Series series =
        OtlpBuckets.merge(
            store,
            "sent",
            OtlpBuckets.explicit(new long[] {100_000_000, 250_000_000}, values),
            OtlpBuckets.sumMinMax(values));

    ExponentialReading reading = reading(series, 400);

    PowersOfTwo formula = new PowersOfTwo(8, NANOS);
    assertThat(reading.scale()).isEqualTo(8);
    assertThat(reading.firstIndex()).isEqualTo(formula.indexOf(100_000_000));
    long[] counts = reading.counts();
    assertThat(reading.firstIndex() + counts.length - 1).isEqualTo(formula.indexOf(250_000_001));
    assertThat(counts[0]).isEqualTo(2);
    assertThat(counts[counts.length - 1]).isEqualTo(1);
    assertThat(reading.count()).isEqualTo(4);
    assertThat(reading.hasMax()).isTrue();
    assertThat(reading.max()).isEqualTo(400_000_000);
  }

  @Test
  void extremes_thatWereNotSent_areNotTold() throws Exception {
    Series series =
        OtlpBuckets.merge(
            store,
            "sent",
            OtlpBuckets.base2(3, 1_000_000, 5_000_000),
            OtlpBuckets.sumOnly(1_000_000, 5_000_000));

    assertThat(reading(series, 160).hasMin()).isFalse();
    assertThat(reading(series, 160).hasMax()).isFalse();
  }
}
