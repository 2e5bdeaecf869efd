package io.hdrsidecar.sidecar.reading;

import static io.hdrsidecar.sidecar.merge.Intervals.LAYOUT;
import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static io.hdrsidecar.sidecar.merge.Intervals.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Sums of series, against the raw values. */
class JoinedCountsTest {
  private static final BucketLayout COARSE = BucketLayout.of(1_000, 2);

  private final HandTurnedClock clock = new HandTurnedClock();
  private final SeriesStore store =
      new SeriesStore(new MergeConfig(100, 4, 100_000, WindowSpec.parseList("10s")), clock, clock);
  private final JoinedCounts joined = new JoinedCounts();
  private final Distribution read = new Distribution();
  private long[] fine = {};
  private long[] coarse = {};

  private void merge(String route, BucketLayout layout, long... values) throws Exception {
    Series series = store.register(definition("x", Unit.NANOSECONDS, layout, "route", route));
    long sum = Arrays.stream(values).sum();
    long min = Arrays.stream(values).min().orElseThrow();
    long max = Arrays.stream(values).max().orElseThrow();
    long now = clock.millis();
    store.merge(
        series, decoded(layout, values), now - 1000, now, SumMinMax.of(0, sum, true, min, max));
    if (layout.equals(LAYOUT)) {
      fine = LongStream.concat(Arrays.stream(fine), Arrays.stream(values)).toArray();
    } else {
      coarse = LongStream.concat(Arrays.stream(coarse), Arrays.stream(values)).toArray();
    }
  }

  private void addTotal(Series series) {
    joined.add(0, series::readTotal);
  }

  private long inBucket(int i) {
    return count(fine, LAYOUT, i) + count(coarse, COARSE, i);
  }

  private long count(long[] values, BucketLayout layout, int i) {
    return Arrays.stream(values)
        .filter(v -> layout.highestValueAt(layout.indexOf(v)) == read.highestAt(i))
        .filter(v -> layout.lowestValueAt(layout.indexOf(v)) == read.lowestAt(i))
        .count();
  }

  private void assertIsAll() {
    long[] all = LongStream.concat(Arrays.stream(fine), Arrays.stream(coarse)).sorted().toArray();
    assertThat(read.count()).isEqualTo(all.length);
    assertThat(read.sum().low()).isEqualTo(Arrays.stream(all).sum());
    assertThat(read.min()).isEqualTo(all[0]);
    assertThat(read.max()).isEqualTo(all[all.length - 1]);
    assertThat(read.sumIsExact()).isTrue();
    for (int i = 0; i < read.size(); i++) {
      assertThat(read.countAt(i)).as("bucket up to %d", read.highestAt(i)).isEqualTo(inBucket(i));
    }
  }

  @Test
  void add_seriesOfTwoLayouts_isTheSumOfAllValues() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 40; i++) {
      long[] values = random.longs(random.nextInt(1, 200), 0, 1L << 30).toArray();
      merge("r" + random.nextInt(5), i % 4 == 0 ? COARSE : LAYOUT, values);
    }
    store.series().forEach(this::addTotal);
    joined.addTo(read);
    assertIsAll();

    joined.forget();
    read.clear();
    store.series().forEach(series -> joined.add(0, one -> series.readWindow(0, one)));
    joined.addTo(read);
    assertIsAll();
  }

  @Test
  void add_afterForget_hasNothingOfBefore() throws Exception {
    merge("a", COARSE, 1_000_000);
    merge("b", LAYOUT, 7);
    store.series().forEach(this::addTotal);
    joined.forget();

    store.find(definition("x", "route", "b").key()).ifPresent(this::addTotal);
    joined.addTo(read);

    assertThat(read.count()).isEqualTo(1);
    assertThat(read.max()).isEqualTo(7);
  }

  @Test
  void add_moreThanALongHolds_staysAtTheLargest() throws Exception {
    for (String route : new String[] {"a", "b", "c"}) {
      Series series = store.register(definition("x", "route", route));
      PagedCounts counts = new PagedCounts(LAYOUT);
      counts.add(LAYOUT.indexOf(5), Long.MAX_VALUE / 2);
      store.merge(series, decoded(counts), 0, 1, SumMinMax.of(2, 0, true, 5, 5));
      addTotal(series);
    }

    joined.addTo(read);

    assertThat(read.count()).isEqualTo(Long.MAX_VALUE);
    assertThat(read.valueAtPercentile(50)).isEqualTo(5);
  }
}
