package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far the table of pages reaches, and that no count is lost when it grows or shrinks. */
class PageTableTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final int PAGE = 128;
  private static final int PAGES = LAYOUT.countersUpTo(Long.MAX_VALUE) / PAGE;

  /** A page of counters of 8 bits: 136 of them and a header. */
  private static final long PAGE_BYTES = 136 + 16;

  private static final long SLOT_BYTES = 12;
  private static final long EMPTY_BYTES = 32;

  private final PagedCounts counts = new PagedCounts(LAYOUT);
  private final TreeMap<Integer, Long> expected = new TreeMap<>();

  /** Few and small, so that all counters keep 8 bits; around a page that moves. */
  private static Map<Integer, Long> interval(SplittableRandom random, int page) {
    TreeMap<Integer, Long> buckets = new TreeMap<>();
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      int near = Math.min(PAGES - 1, Math.max(0, page + random.nextInt(-6, 7)));
      buckets.put(near * PAGE + random.nextInt(PAGE), 1L);
    }
    return buckets;
  }

  private static SparseCounts sparse(Map<Integer, Long> buckets) {
    SparseCounts sparse = new SparseCounts();
    buckets.forEach(sparse::visit);
    return sparse;
  }

  private static Set<Integer> pagesOf(Map<Integer, Long> buckets) {
    Set<Integer> pages = new TreeSet<>();
    buckets.keySet().forEach(index -> pages.add(index / PAGE));
    return pages;
  }

  private static long slots(PagedCounts of, int pages) {
    return (of.allocatedBytes() - EMPTY_BYTES - pages * PAGE_BYTES) / SLOT_BYTES;
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void add_valuesMoveUpAndDown_keepsEveryCountInATableOfTheirRange(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int page = random.nextInt(PAGES);
    for (int round = 0; round < 60; round++) {
      page = Math.min(PAGES - 1, Math.max(0, page + random.nextInt(-25, 26)));
      Map<Integer, Long> interval = interval(random, page);
      addInSomeWay(interval, random.nextInt(3));
      interval.forEach((index, count) -> expected.merge(index, count, Long::sum));
      assertCountsAreExpected(random);
      TreeSet<Integer> pages = new TreeSet<>(pagesOf(expected));
      int range = pages.last() - pages.first() + 1;
      assertThat(slots(counts, pages.size())).isBetween((long) range, range + range / 8L);
    }
  }

  private void addInSomeWay(Map<Integer, Long> interval, int way) {
    switch (way) {
      case 0 -> interval.forEach(counts::add);
      case 1 -> {
        PagedCounts other = new PagedCounts(LAYOUT);
        other.add(sparse(interval));
        counts.add(other);
      }
      default -> {
        long foreseen = counts.committedBytes() + counts.committedGrowthFor(sparse(interval));
        counts.add(sparse(interval));
        assertThat(counts.committedBytes()).isEqualTo(foreseen);
      }
    }
  }

  private void assertCountsAreExpected(SplittableRandom random) {
    TreeMap<Integer, Long> visited = new TreeMap<>();
    counts.forEach(visited::put);
    assertThat(visited).isEqualTo(expected);
    int from = random.nextInt(PAGES * PAGE);
    int to = from + random.nextInt(PAGES * PAGE - from);
    TreeMap<Integer, Long> inside = new TreeMap<>();
    counts.forEach(from, to, inside::put);
    assertThat(inside).isEqualTo(expected.subMap(from, to));

    long[] sums = new long[3];
    counts.addRangesTo(new int[] {from, to, Integer.MAX_VALUE}, sums);
    assertThat(sums)
        .containsExactly(sum(expected.headMap(from)), sum(inside), sum(expected.tailMap(to, true)));
    int[] edges = new int[2];
    counts.indexesAtRanks(new long[] {1, counts.total()}, edges);
    assertThat(edges).containsExactly(expected.firstKey(), expected.lastKey());
    for (int index : new int[] {0, from, to, edges[0] - PAGE, edges[1] + PAGE}) {
      if (index >= 0) {
        assertThat(counts.countAt(index)).isEqualTo(expected.getOrDefault(index, 0L));
      }
    }
  }

  private static long sum(Map<Integer, Long> buckets) {
    return buckets.values().stream().mapToLong(Long::longValue).sum();
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3})
  void releaseEmptyPages_mostOfTheRangeHasLeft_keepsATableOfWhatStays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 30; round++) {
      Map<Integer, Long> leaves = interval(random, random.nextInt(PAGES));
      Map<Integer, Long> stays = interval(random, random.nextInt(PAGES));
      expected.clear();
      expected.putAll(stays);
      PagedCounts both = new PagedCounts(LAYOUT);
      both.add(sparse(leaves));
      both.add(sparse(stays));
      both.subtract(sparse(leaves));
      both.releaseEmptyPages();

      counts.clear();
      counts.releaseEmptyPages();
      assertThat(counts.allocatedBytes()).isEqualTo(EMPTY_BYTES);
      counts.add(both);
      assertCountsAreExpected(random);
      TreeSet<Integer> pages = new TreeSet<>(pagesOf(stays));
      int range = pages.last() - pages.first() + 1;
      assertThat(slots(both, pages.size())).isBetween((long) range, 2L * range);
      assertThat(slots(counts, pages.size())).isEqualTo(range);
    }
  }

  /** So it is not copied for each page. */
  @ParameterizedTest(name = "{0} pages from one to the next")
  @ValueSource(ints = {1, -1})
  void reserve_pageByPage_growsTheTableInFewSteps(int direction) {
    BucketLayout wide = BucketLayout.of(1, 5);
    PagedCounts many = new PagedCounts(wide);
    int pages = 8000;
    int page = direction > 0 ? 0 : pages - 1;
    Set<Long> sizes = new TreeSet<>();
    for (int i = 1; i <= pages; i++) {
      many.reserve(page * PAGE, (page + 1) * PAGE);
      sizes.add(many.allocatedBytes() - (long) i * (136 * 8 + 16));
      page += direction;
    }
    assertThat(sizes).hasSizeLessThan(80);
    assertThat(many.countAt(0)).isZero();
  }

  @Test
  void add_farBelowWhatIsThere_reachesDownToPageZeroAndNoFurther() {
    for (int page = 40; page >= 0; page--) {
      counts.add(page * PAGE + 5, 1);
      expected.put(page * PAGE + 5, 1L);
      assertCountsAreExpected(new SplittableRandom(page));
    }
    assertThat(counts.allocatedBytes()).isEqualTo(EMPTY_BYTES + 41 * PAGE_BYTES + 41 * SLOT_BYTES);
  }
}
