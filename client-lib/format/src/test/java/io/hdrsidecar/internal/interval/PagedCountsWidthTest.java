package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jol.info.GraphLayout;

/**
 * Counts around the widths of packed counters, 2<sup>8</sup> to 2<sup>63</sup>, against an array of
 * longs, one for each bucket.
 */
class PagedCountsWidthTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 1);
  private static final int COUNTERS = 4 * 128 + 5;

  private final long[] expected = new long[COUNTERS];
  private PagedCounts counts = new PagedCounts(LAYOUT);

  /** A count near a power of two that is the end of a width, or small. */
  private static long edge(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> (1L << 8) - random.nextInt(3);
      case 1 -> (1L << 16) - random.nextInt(3);
      case 2 -> (1L << 31) - random.nextInt(3);
      case 3 -> (1L << 32) - random.nextInt(3);
      case 4 -> random.nextInt(50) == 0 ? 1L << 58 : 1;
      default -> 1 + random.nextLong(1L << random.nextInt(1, 12));
    };
  }

  /** Neighbours, as in one block, and others anywhere. */
  private static Map<Integer, Long> interval(SplittableRandom random) {
    TreeMap<Integer, Long> buckets = new TreeMap<>();
    int start = random.nextInt(COUNTERS - 20);
    for (int i = random.nextInt(1, 20); i > 0; i--) {
      int index = random.nextInt(4) == 0 ? random.nextInt(COUNTERS) : start + random.nextInt(20);
      buckets.put(index, random.nextInt(3) == 0 ? edge(random) : 1 + random.nextInt(4));
    }
    return buckets;
  }

  private static SparseCounts sparse(Map<Integer, Long> buckets) {
    SparseCounts sparse = new SparseCounts();
    buckets.forEach(sparse::visit);
    return sparse;
  }

  private static PagedCounts paged(Map<Integer, Long> buckets) {
    PagedCounts paged = new PagedCounts(LAYOUT);
    buckets.forEach(paged::add);
    return paged;
  }

  private void expect(Map<Integer, Long> buckets, int sign) {
    buckets.forEach((index, count) -> expected[index] += sign * count);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyChange_countsAroundEveryWidth_isThatOfAnArrayOfLongs(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Integer, Long> mayLeave = new TreeMap<>();
    for (int round = 0; round < 400; round++) {
      Map<Integer, Long> interval = interval(random);
      switch (random.nextInt(6)) {
        case 0 -> {
          counts.add(paged(interval));
          expect(interval, 1);
        }
        case 1 -> {
          interval.forEach(counts::add);
          expect(interval, 1);
        }
        case 2 -> {
          counts.subtract(sparse(mayLeave));
          expect(mayLeave, -1);
          mayLeave.clear();
        }
        case 3 -> rarelyMadeAnew(random, mayLeave);
        default -> {
          addAsForeseen(sparse(interval));
          expect(interval, 1);
          interval.forEach((index, count) -> mayLeave.merge(index, count, Long::sum));
        }
      }
      assertIsAsExpected(random);
    }
  }

  /** The foreseen growth is the growth. */
  private void addAsForeseen(SparseCounts interval) {
    long foreseen = counts.committedBytes() + counts.committedGrowthFor(interval);
    counts.add(interval);
    assertThat(counts.committedBytes()).isEqualTo(foreseen);
    assertThat(counts.allocatedBytes()).isLessThanOrEqualTo(foreseen);
    assertThat(counts.committedGrowthFor(new SparseCounts())).isZero();
  }

  private void rarelyMadeAnew(SplittableRandom random, Map<Integer, Long> mayLeave) {
    switch (random.nextInt(12)) {
      case 0 -> {
        long bytes = counts.allocatedBytes();
        counts.clear();
        assertThat(counts.allocatedBytes()).isEqualTo(bytes);
        Arrays.fill(expected, 0);
        mayLeave.clear();
      }
      case 1 -> {
        PagedCounts copy = new PagedCounts(LAYOUT);
        copy.add(counts);
        counts = copy;
      }
      default -> counts.releaseEmptyPages();
    }
  }

  private void assertIsAsExpected(SplittableRandom random) {
    assertThat(counts.total()).isEqualTo(Arrays.stream(expected).sum());
    assertThat(IntStream.range(0, COUNTERS).mapToLong(counts::countAt).toArray())
        .isEqualTo(expected);
    assertVisits(0, COUNTERS);
    int from = random.nextInt(COUNTERS);
    assertVisits(from, from + random.nextInt(COUNTERS - from));
    assertRanges(random);
    assertRanks(random);
  }

  private void assertVisits(int from, int to) {
    long[] visited = new long[COUNTERS];
    counts.forEach(
        from,
        to,
        (index, count) -> {
          assertThat(count).isNotZero();
          assertThat(index).isBetween(from, to - 1);
          visited[index] += count;
        });
    long[] inside = new long[COUNTERS];
    System.arraycopy(expected, from, inside, from, to - from);
    assertThat(visited).isEqualTo(inside);
  }

  private void assertRanges(SplittableRandom random) {
    int[] ends =
        IntStream.concat(random.ints(12, 0, COUNTERS), IntStream.of(COUNTERS))
            .sorted()
            .distinct()
            .toArray();
    ends[ends.length - 1] = Integer.MAX_VALUE;
    long[] sums = new long[ends.length];
    counts.addRangesTo(ends, sums);
    int from = 0;
    for (int i = 0; i < ends.length; i++) {
      int to = Math.min(ends[i], COUNTERS);
      assertThat(sums[i]).isEqualTo(Arrays.stream(expected, from, to).sum());
      from = to;
    }
  }

  /** A rank lies in the bucket that the running count reaches it with, not before. */
  private void assertRanks(SplittableRandom random) {
    if (counts.total() == 0) {
      return;
    }
    long[] ranks = random.longs(10, 1, counts.total()).sorted().toArray();
    int[] indexes = new int[ranks.length];
    counts.indexesAtRanks(ranks, indexes);
    for (int i = 0; i < ranks.length; i++) {
      long below = Arrays.stream(expected, 0, indexes[i]).sum();
      assertThat(below).isLessThan(ranks[i]);
      assertThat(below + expected[indexes[i]]).isGreaterThanOrEqualTo(ranks[i]);
    }
  }

  /** One more than a width holds goes to the next width, never to the neighbour. */
  @ParameterizedTest(name = "bits={0}")
  @ValueSource(ints = {8, 16, 31, 32, 62})
  void add_oneAtTheEndOfAWidth_isInItsOwnCounterAlone(int bits) {
    counts.add(20, (1L << bits) - 2);
    for (int i = 0; i < 4; i++) {
      counts.add(20, 1);
      assertThat(counts.countAt(19)).isZero();
      assertThat(counts.countAt(20)).isEqualTo((1L << bits) - 1 + i);
      assertThat(counts.countAt(21)).isZero();
    }
    SparseCounts all = new SparseCounts();
    all.visit(20, (1L << bits) + 2);
    counts.subtract(all);
    assertThat(counts.countAt(20)).isZero();
    assertThat(counts.total()).isZero();
  }

  @Test
  void add_largestTotalInOnePage_isExactInEveryCounter() {
    counts.add(3, Long.MAX_VALUE - 200);
    for (int index = 20; index < 120; index++) {
      counts.add(index, 2);
    }
    assertThat(counts.countAt(3)).isEqualTo(Long.MAX_VALUE - 200);
    assertThat(counts.countAt(119)).isEqualTo(2);
    assertThat(counts.total()).isEqualTo(Long.MAX_VALUE);
    long bytes = counts.allocatedBytes();
    SparseCounts one = new SparseCounts();
    one.visit(500, 1);
    assertThatThrownBy(() -> counts.add(one)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> counts.add(500, 1)).isInstanceOf(ArithmeticException.class);
    assertThat(counts.allocatedBytes()).isEqualTo(bytes);
  }

  @Test
  void subtract_moreThanABucketHas_isRefusedAndTakesNothing() {
    counts.add(3, 5);
    counts.add(4, 5);
    SparseCounts more = new SparseCounts();
    more.visit(3, 1);
    more.visit(4, 6);
    SparseCounts elsewhere = new SparseCounts();
    elsewhere.visit(500, 1);

    assertThatThrownBy(() -> counts.subtract(more))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot take 6 from bucket 4, which has 5");
    assertThatThrownBy(() -> counts.subtract(elsewhere))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot take 1 from bucket 500, which has 0");
    assertThatThrownBy(() -> counts.add(3, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("count must be 0 or more, is -1");
    assertThat(counts.countAt(3)).isEqualTo(5);
    assertThat(counts.countAt(4)).isEqualTo(5);
    assertThat(counts.total()).isEqualTo(10);
  }

  @Test
  void add_toReservedBuckets_takesNoMemoryWhateverTheCounts() {
    counts.reserve(100, 300);
    long bytes = counts.allocatedBytes();
    for (int index = 100; index < 300; index++) {
      counts.add(index, 1L << (index % 54));
    }
    PagedCounts same = new PagedCounts(LAYOUT);
    same.add(counts);
    counts.add(same);
    assertThat(counts.allocatedBytes()).isEqualTo(bytes);
    assertThat(counts.countAt(107)).isEqualTo(2L << 53);
  }

  @Test
  void add_itself_doublesEveryCounter() {
    counts.add(5, 200);
    counts.add(6, 40_000);
    counts.add(400, 255);

    counts.add(counts);

    assertThat(counts.countAt(5)).isEqualTo(400);
    assertThat(counts.countAt(6)).isEqualTo(80_000);
    assertThat(counts.countAt(400)).isEqualTo(510);
    assertThat(counts.total()).isEqualTo(80_910);
  }

  /** What the heap has of it, in every width, by JOL. */
  @ParameterizedTest(name = "bits={0}")
  @ValueSource(ints = {3, 12, 20, 40})
  void allocatedBytes_pagesOfEachWidth_isWhatTheHeapHolds(int bits) {
    for (int index = 0; index < 6000; index += 50) {
      counts.add(index, 1L << bits);
    }
    long measured =
        GraphLayout.parseInstance(counts).totalSize()
            - GraphLayout.parseInstance(LAYOUT).totalSize();
    long objects = 2 * 48; // of the counts and of their table
    assertThat(counts.allocatedBytes()).isBetween(measured - objects, measured);
  }

  /** 68 longs and a header for each page, and its entry in the table. */
  @Test
  void committedBytes_pagesWidenTo32Bits_stayAsTheyWereAndAreThenWhatIsAllocated() {
    SparseCounts interval = new SparseCounts();
    for (int index = 5; index < 1280; index += 128) {
      interval.visit(index, 200);
    }
    counts.add(interval);
    long committed = counts.committedBytes();
    assertThat(committed).isEqualTo(32 + 10 * (68 * 8 + 16 + 12));
    assertThat(counts.allocatedBytes()).isEqualTo(committed - 10 * 51 * 8);

    for (int i = 0; i < 400; i++) {
      assertThat(counts.committedGrowthFor(interval)).isZero();
      counts.add(interval);
    }

    assertThat(counts.committedBytes()).isEqualTo(committed).isEqualTo(counts.allocatedBytes());
    counts.add(5, 1L << 32);
    assertThat(counts.committedBytes()).isEqualTo(committed + 68 * 8);
    counts.clear();
    counts.releaseEmptyPages();
    assertThat(counts.committedBytes()).isEqualTo(32).isEqualTo(counts.allocatedBytes());
  }

  @Test
  void allocatedBytes_aFewValuesABucket_isAnEighthOfLongs() {
    for (int index = 0; index < 1280; index++) {
      counts.add(index, 1);
    }
    assertThat(counts.allocatedBytes()).isLessThan(10 * (136 + 16 + 12) + 33);
  }

  /** The same values in HdrHistogram, whose counters are longs. */
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {11, 12})
  void indexesAtRanks_countsOfAllSizes_areThoseOfHdrHistogram(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BucketLayout layout = BucketLayout.of(1, 3);
    PagedCounts ours = new PagedCounts(layout);
    Histogram theirs = new Histogram(1, 1L << 40, 3);
    BigInteger sum = BigInteger.ZERO;
    for (int i = 0; i < 2000; i++) {
      long value = random.nextLong(1L << random.nextInt(1, 40));
      long count = edge(random) & 0xffff_ffffL;
      ours.add(layout.indexOf(value), count);
      theirs.recordValueWithCount(value, count);
      sum = sum.add(BigInteger.valueOf(count));
    }
    assertThat(ours.total()).isEqualTo(theirs.getTotalCount()).isEqualTo(sum.longValueExact());
    for (double percentile : new double[] {0.1, 1, 25, 50, 75, 90, 99, 99.9, 99.99, 100}) {
      int[] index = new int[1];
      ours.indexesAtRanks(
          new long[] {theirs.getCountBetweenValues(0, theirs.getValueAtPercentile(percentile))},
          index);
      assertThat(layout.highestValueAt(index[0]))
          .isEqualTo(theirs.getValueAtPercentile(percentile));
    }
  }
}
