package io.hdrsidecar.sidecar.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private final PackingScratch scratch = new PackingScratch();
  private final IntervalCounts interval = new IntervalCounts();
  private final Step step = new Step();

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void takeFrom_upToFortyIntervals_takesExactlyTheirSum(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int turn = 0; turn < 50; turn++) {
      PagedCounts counts = new PagedCounts(LAYOUT);
      ExactSum sum = new ExactSum();
      counts.add(sparse(Map.of(11, 5L, 4000, 1L)));
      sum.add(42);
      int intervals = random.nextInt(40);
      for (int i = 0; i < intervals; i++) {
        Map<Integer, Long> added = randomCounts(random);
        long sumHigh = random.nextLong(4);
        long sumLow = random.nextLong();
        counts.add(sparse(added));
        sum.add(sumHigh, sumLow);
        add(added, sumHigh, sumLow);
      }

      step.takeFrom(counts, sum, scratch);

      assertThat(held(counts)).isEqualTo(Map.of(11, 5L, 4000, 1L));
      assertThat(counts.total()).isEqualTo(6);
      assertThat(sum.high()).isZero();
      assertThat(sum.low()).isEqualTo(42);
      assertThat(step.isEmpty()).isTrue();
      assertThat(step.min()).isEqualTo(Long.MAX_VALUE);
      assertThat(step.max()).isZero();
    }
  }

  @Test
  void add_sameBucketsManyTimes_takesNoMoreThanTwiceTheBytesOfOne() {
    Map<Integer, Long> buckets = new TreeMap<>();
    for (int i = 0; i < 1000; i++) {
      buckets.put(3 * i, 1L);
    }
    add(buckets, 0, 1);
    assertThat(step.allocatedBytes()).isBetween(2_000L, 2_300L); // two bytes a bucket, a sixteenth

    for (int i = 0; i < 100; i++) {
      add(buckets, 0, 1);
      assertThat(step.allocatedBytes()).isLessThan(2 * 2_700L);
    }

    PagedCounts counts = new PagedCounts(LAYOUT);
    for (int i = 0; i < 101; i++) {
      counts.add(sparse(buckets));
    }
    ExactSum sum = new ExactSum();
    sum.add(101);
    step.takeFrom(counts, sum, scratch);
    assertThat(held(counts)).isEmpty();
  }

  @Test
  void allocatedBytes_afterALargeInterval_shrinksWithTheNext() {
    Map<Integer, Long> large = new TreeMap<>();
    for (int i = 0; i < 10_000; i++) {
      large.put(i, 1L);
    }
    add(large, 0, 1);
    assertThat(step.allocatedBytes()).isBetween(20_000L, 26_000L);
    step.clear();

    add(Map.of(1, 1L), 0, 1);

    assertThat(step.allocatedBytes()).isLessThan(200);
  }

  private void add(Map<Integer, Long> counts, long sumHigh, long sumLow) {
    interval.set(sparse(new TreeMap<>(counts)), SumMinMax.of(sumHigh, sumLow, true, 1, 1000));
    step.add(interval, scratch);
  }

  private static Map<Integer, Long> held(PagedCounts counts) {
    Map<Integer, Long> held = new TreeMap<>();
    counts.forEach(held::put);
    return held;
  }

  private static Map<Integer, Long> randomCounts(SplittableRandom random) {
    Map<Integer, Long> counts = new TreeMap<>();
    int size = random.nextInt(1 << random.nextInt(1, 9));
    for (int i = 0; i < size; i++) {
      counts.put(random.nextInt(1 << random.nextInt(1, 15)), 1 + random.nextLong(1L << 40));
    }
    return counts;
  }

  private static SparseCounts sparse(Map<Integer, Long> byIndex) {
    SparseCounts counts = new SparseCounts();
    new TreeMap<>(byIndex).forEach(counts::visit);
    return counts;
  }
}
