package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The counts against a sorted map that does the same additions. */
class PagedCountsTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final int COUNTERS = LAYOUT.countersUpTo(3_600_000_000_000L);

  private static SparseCounts sparse(Map<Integer, Long> buckets) {
    SparseCounts sparse = new SparseCounts();
    buckets.forEach(sparse::visit);
    return sparse;
  }

  private static Map<Integer, Long> random(SplittableRandom random) {
    TreeMap<Integer, Long> buckets = new TreeMap<>();
    int size = random.nextInt(300);
    for (int i = 0; i < size; i++) {
      buckets.put(random.nextInt(COUNTERS), 1 + random.nextLong(1L << random.nextInt(1, 40)));
    }
    return buckets;
  }

  private static Map<Integer, Long> bucketsOf(PagedCounts counts) {
    TreeMap<Integer, Long> buckets = new TreeMap<>();
    counts.forEach(buckets::put);
    SparseCounts listed = new SparseCounts();
    counts.appendTo(listed);
    TreeMap<Integer, Long> ofList = new TreeMap<>();
    for (int i = 0; i < listed.size(); i++) {
      assertThat(ofList.put(listed.indexAt(i), listed.countAt(i))).isNull();
      assertThat(i == 0 || listed.indexAt(i - 1) < listed.indexAt(i)).isTrue();
    }
    assertThat(ofList).isEqualTo(buckets);
    assertThat(listed.total()).isEqualTo(sum(buckets));
    return buckets;
  }

  private static long sum(Map<Integer, Long> buckets) {
    return buckets.values().stream().mapToLong(Long::longValue).sum();
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42, 1001})
  void add_inEveryWay_givesTheSumsOfTheBuckets(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Integer, Long> expected = new TreeMap<>();
    PagedCounts counts = new PagedCounts(LAYOUT);
    for (int round = 0; round < 50; round++) {
      Map<Integer, Long> added = random(random);
      added.forEach((index, count) -> expected.merge(index, count, Long::sum));
      switch (round % 3) {
        case 0 -> counts.add(sparse(added));
        case 1 -> added.forEach(counts::add);
        default -> {
          PagedCounts other = new PagedCounts(LAYOUT);
          other.add(sparse(added));
          counts.add(other);
        }
      }
    }
    assertThat(bucketsOf(counts)).isEqualTo(expected);
    assertThat(counts.total()).isEqualTo(sum(expected));
    for (int index = 0; index < COUNTERS; index++) {
      assertThat(counts.countAt(index)).isEqualTo(expected.getOrDefault(index, 0L));
    }
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void subtract_whatWasAdded_leavesTheRestAndReleasesItsPages(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Integer, Long> stays = random(random);
    Map<Integer, Long> leaves = random(random);
    PagedCounts counts = new PagedCounts(LAYOUT);
    counts.add(sparse(stays));
    counts.add(sparse(leaves));
    long before = counts.allocatedBytes();
    counts.subtract(sparse(leaves));
    assertThat(bucketsOf(counts)).isEqualTo(stays);
    assertThat(counts.total()).isEqualTo(sum(stays));
    counts.releaseEmptyPages();
    assertThat(bucketsOf(counts)).isEqualTo(stays);
    assertThat(counts.allocatedBytes()).isLessThan(before);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void forEach_overAdjacentRanges_visitsEveryBucketOnce(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PagedCounts counts = new PagedCounts(LAYOUT);
    counts.add(sparse(random(random)));
    TreeMap<Integer, Long> visited = new TreeMap<>();
    for (int from = 0; from < COUNTERS; ) {
      int to = from + random.nextInt(1, 1000);
      int start = from;
      counts.forEach(
          from,
          to,
          (index, count) -> {
            assertThat(index).isBetween(start, to - 1);
            assertThat(visited.put(index, count)).isNull();
          });
      from = to;
    }
    assertThat(visited).isEqualTo(bucketsOf(counts));
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42, 99})
  void addRangesTo_andIndexesAtRanks_agreeWithTheBucketsOneByOne(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PagedCounts counts = new PagedCounts(LAYOUT);
    int start = random.nextInt(COUNTERS / 2);
    for (int i = 0; i < 500; i++) {
      counts.add(start + random.nextInt(1 + i), random.nextInt(1, 9));
    }
    counts.add(0, 2);
    assertRangesAndRanksAgree(counts, random);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42, 99})
  void addRangesTo_andIndexesAtRanks_afterCountsCameAndWentInEveryWay_agreeWithTheBuckets(
      long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PagedCounts counts = new PagedCounts(LAYOUT);
    PagedCounts other = new PagedCounts(LAYOUT);
    Map<Integer, Long> leaves = few(random);
    other.add(sparse(few(random)));
    counts.add(COUNTERS - 1, 7);
    counts.clear();
    counts.add(sparse(few(random)));
    counts.add(sparse(leaves));
    counts.add(other);
    counts.subtract(sparse(leaves));
    assertRangesAndRanksAgree(counts, random);
    counts.releaseEmptyPages();
    assertRangesAndRanksAgree(counts, random);
  }

  /** Dense in two pages, sparse in others. */
  private static Map<Integer, Long> few(SplittableRandom random) {
    TreeMap<Integer, Long> buckets = new TreeMap<>();
    int start = random.nextInt(COUNTERS - 256);
    for (int i = 0; i < 100; i++) {
      buckets.put(start + random.nextInt(256), random.nextLong(1, 9));
      buckets.put(random.nextInt(COUNTERS), random.nextLong(1, 9));
    }
    return buckets;
  }

  /** Against every value by itself; edges lie anywhere, several to a page, and around its ends. */
  private static void assertRangesAndRanksAgree(PagedCounts counts, SplittableRandom random) {
    List<Integer> used = List.copyOf(bucketsOf(counts).keySet());
    int page = used.get(used.size() / 2) & -128;
    int[] ends =
        IntStream.concat(
                random.ints(200, 0, COUNTERS),
                IntStream.concat(
                    IntStream.of(0, 1, 128, 256, COUNTERS, Integer.MAX_VALUE),
                    random.ints(20, page, page + 129)))
            .sorted()
            .distinct()
            .toArray();
    long[] expected = new long[ends.length];
    List<Integer> everyValue = new ArrayList<>();
    bucketsOf(counts)
        .forEach(
            (index, count) -> {
              int range = 0;
              while (ends[range] <= index) {
                range++;
              }
              expected[range] += count;
              everyValue.addAll(Collections.nCopies(Math.toIntExact(count), index));
            });

    long[] sums = new long[ends.length];
    counts.addRangesTo(ends, sums);
    long[] ranks =
        LongStream.concat(
                random.longs(100, 1, counts.total() + 1), LongStream.of(1, counts.total()))
            .sorted()
            .toArray();
    int[] indexes = new int[ranks.length];
    counts.indexesAtRanks(ranks, indexes);

    assertThat(sums).isEqualTo(expected);
    for (int i = 0; i < ranks.length; i++) {
      assertThat(indexes[i]).isEqualTo(everyValue.get((int) ranks[i] - 1));
    }
  }

  @Test
  void add_pastTheLargestTotal_addsNothing() {
    PagedCounts counts = new PagedCounts(LAYOUT);
    counts.add(5, Long.MAX_VALUE - 1);
    SparseCounts two = new SparseCounts();
    two.visit(5, 1);
    two.visit(700, 1);
    PagedCounts other = new PagedCounts(LAYOUT);
    other.add(two);
    assertThatThrownBy(() -> counts.add(two)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> counts.add(other)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> counts.add(5, 2)).isInstanceOf(ArithmeticException.class);
    assertThat(counts.total()).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(bucketsOf(counts)).hasToString("{5=" + (Long.MAX_VALUE - 1) + "}");
  }

  @Test
  void add_countsOfAnotherLayout_isRefusedAndAddsNothing() {
    PagedCounts counts = new PagedCounts(LAYOUT);
    PagedCounts coarse = new PagedCounts(BucketLayout.of(1, 2));
    coarse.add(3, 1);
    assertThatThrownBy(() -> counts.add(coarse))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lowest=1,digits=3 and lowest=1,digits=2");
    assertThat(counts.total()).isZero();
  }

  @Test
  void clear_afterCounting_keepsThePagesAndNoCounts() {
    PagedCounts counts = new PagedCounts(LAYOUT);
    counts.add(COUNTERS - 1, 9);
    long bytes = counts.allocatedBytes();
    counts.clear();
    assertThat(counts.total()).isZero();
    assertThat(bucketsOf(counts)).isEmpty();
    assertThat(counts.allocatedBytes()).isEqualTo(bytes);
  }

  @Test
  void allocatedBytes_ofOneBucketFarOut_isOnePageAndItsTable() {
    PagedCounts counts = new PagedCounts(LAYOUT);
    counts.add(COUNTERS - 1, 1);
    assertThat(counts.allocatedBytes()).isEqualTo(32 + 12 + 17 * 8 + 16);
  }

  @Test
  void visit_pastTheLargestTotal_throwsAndAppendsNothing() {
    SparseCounts sparse = new SparseCounts();
    sparse.visit(0, Long.MAX_VALUE);
    assertThatThrownBy(() -> sparse.visit(1, 1)).isInstanceOf(ArithmeticException.class);
    assertThat(sparse.size()).isEqualTo(1);
    assertThat(sparse.total()).isEqualTo(Long.MAX_VALUE);
  }
}
