package io.hdrsidecar.sidecar.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IntervalSumTest {
  private static final List<BucketLayout> LAYOUTS =
      List.of(BucketLayout.of(1, 3), BucketLayout.of(1000, 3), BucketLayout.of(1, 5));

  /** Two layouts, most below and some behind what is added up densely, read in between. */
  @Test
  void ofMany_ofLayoutsThatTakeTurns_hasWhatWasAdded() {
    SplittableRandom random = new SplittableRandom(11);
    IntervalSum sum = IntervalSum.ofMany();
    List<List<Long>> expected = new ArrayList<>();
    LAYOUTS.forEach(each -> expected.add(new ArrayList<>()));
    for (int interval = 0; interval < 2_000; interval++) {
      int which = random.nextInt(LAYOUTS.size());
      long most = random.nextInt(10) == 0 ? 1L << 40 : 50_000_000;
      long[] values = random.longs(20, 1_000, most).toArray();
      IntervalCounts counts = interval(LAYOUTS.get(which), values);
      sum.add(LAYOUTS.get(which), counts);
      for (long each : values) {
        expected.get(which).add(each);
      }
      if (interval % 500 == 499) {
        assertThat(sum.counts().layouts()).isEqualTo(LAYOUTS.size());
        sum.counts().forEach(each -> requireSame(each.counts().layout(), expected, sum));
      }
      if (interval == 999) {
        sum.clear();
        expected.forEach(List::clear);
      }
    }
  }

  private static void requireSame(BucketLayout layout, List<List<Long>> all, IntervalSum sum) {
    List<Long> values = all.get(LAYOUTS.indexOf(layout));
    Map<Integer, Long> expected = new TreeMap<>();
    values.forEach(each -> expected.merge(layout.indexOf(each), 1L, Long::sum));
    Map<Integer, Long> found = new TreeMap<>();
    sum.counts().of(layout).counts().forEach(found::put);
    assertThat(found).isEqualTo(expected);
    SumMinMax sumMinMax = sum.counts().of(layout).sumMinMax();
    assertThat(sumMinMax.sum().low()).isEqualTo(values.stream().mapToLong(each -> each).sum());
    assertThat(sumMinMax.min()).isEqualTo(values.stream().mapToLong(each -> each).min().orElse(-1));
    assertThat(sumMinMax.max()).isEqualTo(values.stream().mapToLong(each -> each).max().orElse(-1));
  }

  private static IntervalCounts interval(BucketLayout layout, long[] values) {
    Map<Integer, Long> buckets = new TreeMap<>();
    SumMinMax sumMinMax = new SumMinMax();
    long sum = 0;
    long min = Long.MAX_VALUE;
    long max = 0;
    for (long each : values) {
      buckets.merge(layout.indexOf(each), 1L, Long::sum);
      sum += each;
      min = Math.min(min, each);
      max = Math.max(max, each);
    }
    sumMinMax.set(0, sum, true, min, max);
    SparseCounts counts = new SparseCounts();
    buckets.forEach(counts::visit);
    IntervalCounts interval = new IntervalCounts();
    interval.set(counts, sumMinMax);
    return interval;
  }
}
