package io.hdrsidecar.sidecar.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SparseCounts;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedCountsTest {
  private static final int START = 5;

  @Test
  void write_knownBuckets_areTheBytesOfTheFormat() {
    // Distances 1, 127 and 128; counts 1, 127 and 300.
    Map<Integer, Long> buckets = new TreeMap<>(Map.of(0, 1L, 127, 127L, 255, 300L));

    byte[] out = new byte[PackedCounts.maxBytes(sparse(buckets))];
    int end = PackedCounts.write(sparse(buckets), out, 0);

    assertThat(out).startsWith(1, 1, 127, 127, 0x80, 1, 0xac, 2);
    assertThat(end).isEqualTo(8);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void read_whatWasWritten_isTheSame(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 200; i++) {
      Map<Integer, Long> buckets = randomCounts(random);
      byte[] out = new byte[START + PackedCounts.maxBytes(sparse(buckets))];

      int end = PackedCounts.write(sparse(buckets), out, START);

      assertReads(out, end, buckets);
    }
  }

  @Test
  void read_largestIndexAndCount_areTheSame() {
    Map<Integer, Long> extremes =
        new TreeMap<>(Map.of(0, 1L, Integer.MAX_VALUE - 1, Long.MAX_VALUE - 1));
    byte[] out = new byte[START + PackedCounts.maxBytes(sparse(extremes))];

    assertReads(out, PackedCounts.write(sparse(extremes), out, START), extremes);
  }

  @Test
  void read_countsOfNineBytes_takesMemoryForTheBucketsAndNotForTheBytes() {
    Map<Integer, Long> large = new TreeMap<>();
    for (int index = 0; index < 1000; index++) {
      large.put(index, 1L << 53);
    }
    byte[] out = new byte[PackedCounts.maxBytes(sparse(large))];
    int end = PackedCounts.write(sparse(large), out, 0);
    SparseCounts read = new SparseCounts();

    PackedCounts.read(out, 0, end, read);

    assertThat(end).isEqualTo(1000 * 9);
    assertThat(read.size()).isEqualTo(1000);
    assertThat(read.hasRoomFor(1)).isFalse();
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void join_twoLists_isTheSumOfEachBucketInNoMoreBytes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 400; i++) {
      assertJoins(randomCounts(random), randomCounts(random));
    }
  }

  @Test
  void join_listsWithoutBucketsInCommon_areBoth() {
    Map<Integer, Long> low = new TreeMap<>(Map.of(0, 1L, 1, 127L, 300, 1L << 40));
    Map<Integer, Long> high = new TreeMap<>(Map.of(301, 128L, 70_000, 1L));

    assertJoins(low, high);
    assertJoins(high, low);
  }

  @Test
  void join_withAListOfNothing_isTheOther() {
    assertJoins(Map.of(), Map.of());
    assertJoins(Map.of(), Map.of(7, 300L));
    assertJoins(Map.of(7, 300L), Map.of());
  }

  @Test
  void join_largestIndexAndCount_isTheSum() {
    int highest = Integer.MAX_VALUE - 1;

    assertJoins(Map.of(highest, Long.MAX_VALUE - 2), Map.of(highest, 1L));
    assertJoins(Map.of(highest, Long.MAX_VALUE - 2), Map.of(0, 1L));
  }

  /** In an array between others, as long as both lists and no longer. */
  private static void assertJoins(Map<Integer, Long> a, Map<Integer, Long> b) {
    Map<Integer, Long> expected = new TreeMap<>(a);
    b.forEach((index, count) -> expected.merge(index, count, Long::sum));
    byte[] bytesA = new byte[START + PackedCounts.maxBytes(sparse(a)) + 1];
    byte[] bytesB = new byte[1 + PackedCounts.maxBytes(sparse(b)) + 1];
    int endA = PackedCounts.write(sparse(a), bytesA, START);
    int endB = PackedCounts.write(sparse(b), bytesB, 1);
    byte[] out = new byte[START + endA - START + endB - 1];

    int end = PackedCounts.join(bytesA, START, endA, bytesB, 1, endB, out, START);

    assertReads(out, end, expected);
  }

  private static void assertReads(byte[] bytes, int end, Map<Integer, Long> expected) {
    SparseCounts read = new SparseCounts();
    read.visit(3, 7); // is replaced
    PackedCounts.read(bytes, START, end, read);
    Map<Integer, Long> byIndex = new TreeMap<>();
    for (int i = 0; i < read.size(); i++) {
      byIndex.put(read.indexAt(i), read.countAt(i));
    }
    assertThat(byIndex).isEqualTo(expected);
    assertThat(read.size()).isEqualTo(expected.size());
    assertThat(read.total()).isEqualTo(expected.values().stream().mapToLong(c -> c).sum());
  }

  /** Short and long distances, small and large counts, in runs and mixed. */
  static Map<Integer, Long> randomCounts(SplittableRandom random) {
    Map<Integer, Long> counts = new TreeMap<>();
    int size = random.nextInt(200);
    int longestDistance = 1 << random.nextInt(1, 13);
    int mostCountBits = random.nextInt(1, 50);
    int index = -1;
    for (int i = 0; i < size; i++) {
      index += 1 + random.nextInt(longestDistance);
      counts.put(index, 1 + random.nextLong(1L << random.nextInt(1, mostCountBits + 1)));
    }
    return counts;
  }

  private static SparseCounts sparse(Map<Integer, Long> byIndex) {
    SparseCounts counts = new SparseCounts();
    new TreeMap<>(byIndex).forEach(counts::visit);
    return counts;
  }
}
