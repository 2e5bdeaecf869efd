package io.hdrsidecar.sidecar.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.interval.SparseCounts;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompactCountsTest {
  private final WindowScratch scratch = new WindowScratch();
  private final CompactCounts compact = new CompactCounts();

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void add_severalIntervals_readsBackTheirSum(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Integer, Long> expected = new TreeMap<>();
    for (int interval = 0; interval < 20; interval++) {
      Map<Integer, Long> added = randomCounts(random);
      added.forEach((index, count) -> expected.merge(index, count, Long::sum));
      compact.add(sparse(added), scratch);
      assertThat(read()).isEqualTo(expected);
    }
  }

  @Test
  void add_largestIndexAndCount_readsBack() {
    Map<Integer, Long> extremes = new TreeMap<>();
    extremes.put(0, 1L);
    extremes.put(Integer.MAX_VALUE - 1, Long.MAX_VALUE - 1);

    compact.add(sparse(extremes), scratch);

    assertThat(read()).isEqualTo(extremes);
  }

  @Test
  void add_afterClear_startsAfresh() {
    compact.add(sparse(randomCounts(new SplittableRandom(1))), scratch);
    compact.clear();

    assertThat(compact.isEmpty()).isTrue();
    assertThat(read()).isEmpty();
  }

  @Test
  void allocatedBytes_afterALargeInterval_shrinksWithTheNext() {
    Map<Integer, Long> large = new TreeMap<>();
    for (int i = 0; i < 10_000; i++) {
      large.put(i, 1L);
    }
    compact.add(sparse(large), scratch);
    assertThat(compact.allocatedBytes()).isBetween(20_000L, 26_000L);
    compact.clear();

    Map<Integer, Long> small = new TreeMap<>();
    small.put(1, 1L);
    compact.add(sparse(small), scratch);

    assertThat(compact.allocatedBytes()).isLessThan(100);
  }

  private Map<Integer, Long> read() {
    SparseCounts counts = new SparseCounts();
    compact.readInto(counts);
    Map<Integer, Long> byIndex = new TreeMap<>();
    for (int i = 0; i < counts.size(); i++) {
      byIndex.put(counts.indexAt(i), counts.countAt(i));
    }
    return byIndex;
  }

  private static Map<Integer, Long> randomCounts(SplittableRandom random) {
    Map<Integer, Long> counts = new TreeMap<>();
    int size = random.nextInt(200);
    for (int i = 0; i < size; i++) {
      counts.put(random.nextInt(1 << random.nextInt(1, 22)), 1 + random.nextLong(1L << 40));
    }
    return counts;
  }

  private static SparseCounts sparse(Map<Integer, Long> byIndex) {
    SparseCounts counts = new SparseCounts();
    byIndex.forEach(counts::visit);
    return counts;
  }
}
