package io.hdrsidecar.sidecar.counts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.SparseCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedSumTest {
  private static final int START = 3;

  private final PackedSum sum = new PackedSum();

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void writeTo_anyNumberOfLists_isTheSumOfEachBucketInNoMoreBytes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int turn = 0; turn < 100; turn++) {
      Map<Integer, Long> expected = new TreeMap<>();
      int added = 0;
      for (int list = random.nextInt(12); list > 0; list--) {
        Map<Integer, Long> counts = PackedCountsTest.randomCounts(random);
        counts.forEach((index, count) -> expected.merge(index, count, Long::sum));
        added += add(counts);
      }

      assertThat(sum.maxBytes()).isLessThanOrEqualTo(added);
      assertThat(written()).isEqualTo(expected);
    }
  }

  @Test
  void writeTo_intervalsOfHdrHistogram_isTheirSum() {
    SplittableRandom random = new SplittableRandom(9);
    Histogram all = new Histogram(1, 3_600_000_000_000L, 3);
    List<Histogram> intervals = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Histogram interval = new Histogram(1, 3_600_000_000_000L, 3);
      for (int value = 0; value < 1_000; value++) {
        interval.recordValue((long) (1e6 * Math.exp(random.nextGaussian())));
      }
      intervals.add(interval);
      all.add(interval);
    }

    intervals.forEach(interval -> add(byIndex(interval)));

    assertThat(written()).isEqualTo(byIndex(all));
  }

  @Test
  void writeTo_largestCountAndEachBitOfAWord_areTheSame() {
    Map<Integer, Long> counts = new TreeMap<>();
    for (int index = 0; index < 64; index++) {
      counts.put(128 + index, 1L + index);
    }
    counts.put(100_000, Long.MAX_VALUE - 10_000);
    add(counts);

    assertThat(written()).isEqualTo(counts);
  }

  @Test
  void clear_afterAListThatWasCutOff_leavesNothingBehind() {
    add(Map.of(5, 7L, 900, 1L));
    assertThatThrownBy(() -> sum.add(new byte[] {3, 1, (byte) 0x80}, 0, 3))
        .isInstanceOf(ArrayIndexOutOfBoundsException.class);

    sum.clear();

    add(Map.of(900, 2L));
    assertThat(written()).isEqualTo(Map.of(900, 2L));
    assertThat(written()).isEmpty();
  }

  @Test
  void maxBytes_sameBucketsAgainAndAgain_isThatOfTheirRange() {
    Map<Integer, Long> every = new TreeMap<>();
    for (int index = 0; index < 1_000; index++) {
      every.put(index, 1L << 50);
    }
    for (int i = 0; i < 20; i++) {
      add(every);
    }

    assertThat(sum.maxBytes()).isBetween(9_000, 10_100);
    written();
  }

  private int add(Map<Integer, Long> counts) {
    SparseCounts sparse = new SparseCounts();
    new TreeMap<>(counts).forEach(sparse::visit);
    byte[] bytes = new byte[START + PackedCounts.maxBytes(sparse)];
    int end = PackedCounts.write(sparse, bytes, START);
    sum.add(bytes, START, end);
    return end - START;
  }

  /** Writes into a place as large as it says it needs, and reads back. */
  private Map<Integer, Long> written() {
    byte[] out = new byte[START + sum.maxBytes()];
    int end = sum.writeTo(out, START);
    SparseCounts read = new SparseCounts();
    PackedCounts.read(out, START, end, read);
    Map<Integer, Long> counts = new TreeMap<>();
    for (int i = 0; i < read.size(); i++) {
      counts.put(read.indexAt(i), read.countAt(i));
    }
    return counts;
  }

  private static Map<Integer, Long> byIndex(Histogram histogram) {
    Map<Integer, Long> counts = new TreeMap<>();
    for (HistogramIterationValue each : histogram.recordedValues()) {
      counts.put(indexOf(each.getValueIteratedTo()), each.getCountAddedInThisIterationStep());
    }
    return counts;
  }

  /** 3 digits from 1: 2048 buckets of width 1, then 1024 of each magnitude. */
  private static int indexOf(long value) {
    int magnitude = Math.max(0, 53 - Long.numberOfLeadingZeros(value));
    return (magnitude << 10) + (int) (value >>> magnitude);
  }
}
