package io.hdrsidecar.sidecar.counts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.SparseCounts;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DenseCountsTest {
  private final DenseCounts dense = new DenseCounts();
  private final SparseCounts moved = new SparseCounts();

  private static SparseCounts sparse(Map<Integer, Long> buckets) {
    SparseCounts counts = new SparseCounts();
    new TreeMap<>(buckets).forEach(counts::visit);
    return counts;
  }

  private Map<Integer, Long> moved() {
    dense.moveTo(moved);
    Map<Integer, Long> buckets = new TreeMap<>();
    int before = -1;
    for (int i = 0; i < moved.size(); i++) {
      assertThat(moved.indexAt(i)).as("ascending").isGreaterThan(before);
      before = moved.indexAt(i);
      buckets.put(before, moved.countAt(i));
    }
    return buckets;
  }

  @Test
  void add_randomIntervals_countsEachBucket() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 50; round++) {
      Map<Integer, Long> expected = new TreeMap<>();
      int highest = 1 + random.nextInt(DenseCounts.BUCKETS - 1);
      for (int interval = 0; interval < 20; interval++) {
        Map<Integer, Long> one = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
          one.put(random.nextInt(highest + 1), 1 + random.nextLong(1L << random.nextInt(50)));
        }
        dense.add(sparse(one));
        one.forEach((index, count) -> expected.merge(index, count, Long::sum));
      }
      if (round % 10 == 9) {
        dense.clear();
        expected.clear();
      }
      assertThat(dense.total()).isEqualTo(expected.values().stream().mapToLong(c -> c).sum());
      assertThat(moved()).isEqualTo(expected);
      assertThat(dense.total()).isZero();
    }
  }

  @Test
  void takes_isFalse_forNothingAndForBucketsBehindTheLimit() {
    assertThat(dense.takes(sparse(Map.of()))).isFalse();
    assertThat(dense.takes(sparse(Map.of(0, 1L, DenseCounts.BUCKETS - 1, 1L)))).isTrue();
    assertThat(dense.takes(sparse(Map.of(0, 1L, DenseCounts.BUCKETS, 1L)))).isFalse();
  }

  @Test
  void add_moreThanLong_addsNothing() {
    SparseCounts some = sparse(Map.of(3, Long.MAX_VALUE));
    dense.add(some);

    assertThatThrownBy(() -> dense.add(some)).isInstanceOf(ArithmeticException.class);

    assertThat(moved()).containsOnly(Map.entry(3, Long.MAX_VALUE));
  }
}
