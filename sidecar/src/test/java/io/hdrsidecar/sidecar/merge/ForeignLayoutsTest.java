package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.support.OtlpBuckets.base2;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.definition;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.explicit;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.merge;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.sumMinMax;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.sumOnly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.JoinedCounts;
import io.hdrsidecar.sidecar.reading.PercentileReader;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets of OpenTelemetry in the store, against the sorted list of the values. */
class ForeignLayoutsTest {
  private static final double[] PERCENTILES = {1, 10, 25, 50, 75, 90, 99, 99.9, 100};
  private static final long[] BOUNDS = {0, 1_000_000, 5_000_000, 25_000_000, 100_000_000};

  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());

  private static long[] values(long seed, int size) {
    SplittableRandom random = new SplittableRandom(seed);
    return LongStream.generate(() -> (long) (Math.exp(random.nextGaussian() * 2) * 3e6))
        .limit(size)
        .toArray();
  }

  private static long truth(long[] values, double percentile) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.max(Math.ceil(percentile * sorted.length / 100 - 1e-9) - 1, 0)];
  }

  private static Distribution total(Series series) {
    Distribution total = new Distribution();
    series.readTotal(total);
    return total;
  }

  private static void assertPercentiles(Series series, long[] values, double bound) {
    Distribution total = total(series);
    PercentileReader reader = new PercentileReader(PERCENTILES);
    series.readTotal(reader);
    JoinedCounts joined = new JoinedCounts();
    joined.add(1 << 20, series::readTotal);
    Distribution again = new Distribution();
    joined.addTo(again);
    assertThat(total.bound()).isLessThanOrEqualTo(bound);
    for (int i = 0; i < PERCENTILES.length; i++) {
      long truth = truth(values, PERCENTILES[i]);
      long given = total.withinExtremes(total.valueAtPercentile(PERCENTILES[i]));
      assertThat(given)
          .as("%s %%", PERCENTILES[i])
          .isBetween(truth, (long) Math.ceil(truth * (1 + bound)));
      assertThat(given).isLessThanOrEqualTo((long) Math.ceil(truth * (1 + total.bound())));
      assertThat(total.leastAtPercentile(PERCENTILES[i])).isLessThanOrEqualTo(truth);
      assertThat(reader.valueAt(i)).isEqualTo(given);
      assertThat(again.withinExtremes(again.valueAtPercentile(PERCENTILES[i]))).isEqualTo(given);
    }
    assertThat(total.count()).isEqualTo(values.length);
    assertThat(total.sum().toBigInteger().longValueExact()).isEqualTo(Arrays.stream(values).sum());
  }

  @ParameterizedTest(name = "scale {0}")
  @ValueSource(ints = {0, 1, 3, 5, 8})
  void percentiles_ofOneScale_areAtOrAboveTheTruthWithinTheScale(int scale) throws Exception {
    for (long seed = 1; seed <= 5; seed++) {
      long[] values = values(seed, 500);

      Series series = merge(store, "s" + seed, base2(scale, values), sumMinMax(values));

      assertPercentiles(series, values, Math.pow(2, Math.pow(2, -scale)) - 1);
      assertThat(total(series).min()).isEqualTo(Arrays.stream(values).min().orElseThrow());
      assertThat(total(series).max()).isEqualTo(Arrays.stream(values).max().orElseThrow());
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 7, 42})
  void percentiles_ofThreeKindsInOneSeries_areAtOrAboveTheTruth(long seed) throws Exception {
    long[] hdr = values(seed, 400);
    long[] fine = values(seed + 1, 300);
    long[] coarse = values(seed + 2, 200);
    merge(store, "mixed", Intervals.decoded(BucketLayout.of(1, 3), hdr), sumMinMax(hdr));
    merge(store, "mixed", base2(3, fine), sumMinMax(fine));
    Series series = merge(store, "mixed", explicit(BOUNDS, coarse), sumMinMax(coarse));
    long[] all =
        LongStream.concat(
                Arrays.stream(hdr), LongStream.concat(Arrays.stream(fine), Arrays.stream(coarse)))
            .toArray();

    assertThat(series.layouts()).hasSize(3);
    Distribution total = total(series);
    assertThat(total.count()).isEqualTo(all.length);
    assertThat(total.isUnbounded()).isFalse();
    for (double percentile : PERCENTILES) {
      long truth = truth(all, percentile);
      long given = total.withinExtremes(total.valueAtPercentile(percentile));
      assertThat(given).isBetween(truth, (long) Math.ceil(truth * (1 + total.bound())));
      assertThat(total.leastAtPercentile(percentile)).isLessThanOrEqualTo(truth);
    }
    assertThat(total.max()).isEqualTo(Arrays.stream(all).max().orElseThrow());
    assertThat(total.min()).isEqualTo(Arrays.stream(all).min().orElseThrow());
  }

  @Test
  void values_onAnEdge_areInTheBucketBelow() throws Exception {
    long[] edges = {500_000_000, 1_000_000_000, 2_000_000_000, 4_000_000_000L};

    Series series = merge(store, "edges", base2(3, edges), sumMinMax(edges));

    Distribution total = total(series);
    for (int i = 0; i < edges.length; i++) {
      assertThat(total.highestAt(i)).isEqualTo(edges[i]);
    }
  }

  @Test
  void extremes_thatWereNotSent_areEdgesAndSaidToBe() throws Exception {
    long[] values = {3_000_000, 7_000_000};

    Distribution total = total(merge(store, "bare", base2(3, values), sumOnly(values)));

    assertThat(total.minIsExact()).isFalse();
    assertThat(total.maxIsExact()).isFalse();
    assertThat(total.min()).isBetween((long) (3_000_000 / 1.0906), 3_000_000L);
    assertThat(total.max()).isBetween(7_000_000L, (long) (7_000_000 * 1.0906));
    merge(store, "bare", base2(3, 1_000_000, 99_000_000), sumMinMax(1_000_000, 99_000_000));
    total = total(store.find(definition("bare", BucketLayout.of(1, 3)).key()).orElseThrow());
    assertThat(total.minIsExact()).isTrue();
    assertThat(total.maxIsExact()).isTrue();
    assertThat(total.min()).isEqualTo(1_000_000);
    assertThat(total.max()).isEqualTo(99_000_000);
  }

  @Test
  void openBucket_withoutItsMaximum_isSaidToHaveNoBound() throws Exception {
    long[] values = {500_000, 700_000_000};

    Distribution total = total(merge(store, "open", explicit(BOUNDS, values), sumOnly(values)));

    assertThat(total.isUnbounded()).isTrue();
    assertThat(total.bound()).isInfinite();
    assertThat(total.valueAtPercentile(100)).isEqualTo(Long.MAX_VALUE);
    assertThat(total.leastAtPercentile(100)).isEqualTo(100_000_001);
    assertThat(total.notes()).singleElement().asString().contains("without an upper bound");
    merge(store, "known", explicit(BOUNDS, values), sumMinMax(values));
    Series known = store.find(definition("known", BucketLayout.of(1, 3)).key()).orElseThrow();
    assertThat(total(known).isUnbounded()).isFalse();
    assertThat(total(known).withinExtremes(total(known).valueAtPercentile(100)))
        .isEqualTo(700_000_000);
  }

  @Test
  void notes_ofScale3_sayTheBound() throws Exception {
    long[] values = LongStream.range(1, 2000).map(i -> i * 1_000_003).toArray();

    Distribution total = total(merge(store, "noted", base2(3, values), sumMinMax(values)));

    assertThat(total.notes()).singleElement().asString().contains("up to 9.06 % above the value");
    assertThat(total.bound()).isLessThan(0.0905078);
  }

  @Test
  void figures_outsideOfTheBuckets_areBroughtIntoThem() throws Exception {
    Series series = merge(store, "odd", base2(0, 3_000_000_000L), SumMinMax.of(0, 3, true, 9, 1));

    assertThat(total(series).min()).isEqualTo(2_000_000_001L);
    assertThat(total(series).max()).isEqualTo(2_000_000_001L);
  }

  @Test
  void windowAndTotal_haveTheSame() throws Exception {
    long[] values = values(3, 100);
    Series series = merge(store, "windowed", base2(3, values), sumOnly(values));

    Distribution window = new Distribution();
    series.readWindow(0, window);

    assertThat(window.count()).isEqualTo(100);
    assertThat(window.sum().toBigInteger().longValueExact()).isEqualTo(Arrays.stream(values).sum());
    assertThat(window.max()).isEqualTo(total(series).max());
    assertThat(window.maxIsExact()).isFalse();
  }

  @Test
  void layouts_beyondTheLimit_areRefusedAndSayWhy() throws Exception {
    for (int scale = 0; scale < 4; scale++) {
      merge(store, "many", base2(scale, 5), sumMinMax(5));
    }
    assertThatThrownBy(() -> merge(store, "many", base2(4, 5), sumMinMax(5)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("at most 4 layouts")
        .hasMessageContaining("base2:scale=3,per=1000000000")
        .extracting(e -> ((RefusedException) e).reason())
        .isEqualTo(RejectReason.CONFIGURATION_LIMIT);
  }

  @Test
  void scale_withMoreCountersThanASeriesMayHave_isRefused() {
    assertThatThrownBy(() -> merge(store, "fine", base2(20, 5), sumMinMax(5)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("series.max-counters");
  }

  @Test
  void toHistogram_isRecordedAtUpperEdgesButNotAboveTheMaximum() throws Exception {
    long[] values = values(11, 200);
    Distribution total = total(merge(store, "export", base2(3, values), sumMinMax(values)));

    var histogram = total.toHistogram();

    assertThat(histogram.getTotalCount()).isEqualTo(200);
    for (double percentile : PERCENTILES) {
      long truth = truth(values, percentile);
      assertThat(histogram.getValueAtPercentile(percentile))
          .isBetween(truth, (long) (truth * 1.0906 * 1.001) + 1);
    }
  }

  @Test
  void countsOfAnyKind_areFreedWithTheirSeries() throws Exception {
    DecodedHistogram decoded = base2(8, values(5, 1000));
    PagedCounts counts = new PagedCounts(decoded.layout());
    counts.add(decoded.counts());

    assertThat(counts.total()).isEqualTo(1000);
    assertThat(counts.allocatedBytes()).isLessThan(16 << 10);
    counts.subtract(decoded.counts());
    counts.releaseEmptyPages();
    assertThat(counts.allocatedBytes()).isLessThan(64);
  }
}
