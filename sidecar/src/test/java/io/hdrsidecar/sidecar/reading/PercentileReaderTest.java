package io.hdrsidecar.sidecar.reading;

import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.Intervals;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Percentiles of several layouts, against the list of all their buckets. */
class PercentileReaderTest {
  private static final double[] PERCENTILES = {0, 0.1, 10, 50, 50.1, 90, 99, 99.99, 100};
  private static final List<BucketLayout> LAYOUTS =
      List.of(
          BucketLayout.of(1, 3),
          BucketLayout.of(1, 1),
          BucketLayout.of(1000, 2),
          BucketLayout.of(7, 0));

  private final HandTurnedClock clock = new HandTurnedClock();
  private final SeriesStore store =
      new SeriesStore(new MergeConfig(100, 4, 1 << 20, WindowSpec.parseList("1m")), clock, clock);
  private final PercentileReader reader = new PercentileReader(PERCENTILES);
  private final Distribution joined = new Distribution();

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42, 99, 2026})
  void readTotal_severalLayouts_areThePercentilesOfAllBucketsTogether(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Series series = register(LAYOUTS.get(0));
    for (BucketLayout layout : LAYOUTS) {
      series = register(layout);
      int size = random.nextInt(1, 300);
      merge(series, layout, random.longs(size, 0, 1L << random.nextInt(1, 40)).toArray());
    }

    series.readTotal(reader);
    series.readTotal(joined);

    assertThat(reader.count()).isEqualTo(joined.count());
    assertThat(reader.max()).isEqualTo(joined.max());
    for (int i = 0; i < PERCENTILES.length; i++) {
      long expected = joined.withinExtremes(joined.valueAtPercentile(PERCENTILES[i]));
      assertThat(reader.valueAt(i)).as("p%s", PERCENTILES[i]).isEqualTo(expected);
    }
    series.readWindow(0, reader);
    assertThat(reader.valueAt(3)).isEqualTo(joined.withinExtremes(joined.valueAtPercentile(50)));
  }

  @Test
  void readTotal_nothingCounted_hasNoValues() throws Exception {
    Series series = register(LAYOUTS.get(0));

    series.readTotal(reader);

    assertThat(reader.count()).isZero();
  }

  /** A list of the buckets would take 48 bytes for each of 60,000. */
  @Test
  void readTotal_manyBucketsInSeveralLayouts_takesNoMemoryForThem() throws Exception {
    Series series = register(LAYOUTS.get(0));
    for (BucketLayout layout : LAYOUTS.subList(0, 2)) {
      series = register(layout);
      merge(series, layout, LongStream.range(0, 60_000).map(i -> i * 1_000).toArray());
    }
    series.readTotal(reader); // classes are loaded now

    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    series.readTotal(new PercentileReader(PERCENTILES));

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
  }

  private Series register(BucketLayout layout) throws Exception {
    return store.register(Intervals.definition("mixed", Unit.NANOSECONDS, layout));
  }

  private void merge(Series series, BucketLayout layout, long... values) throws Exception {
    DecodedHistogram histogram = decoded(layout, values);
    store.mergeWithoutSumMinMax(series, histogram, clock.millis(), clock.millis());
  }
}
